import type { RefusalCode } from '../../platform/errors.ts';
import { haveEnvironment } from '../tags/rules.ts';

/** Fields that versions have because of their loaders. Source: api-v3 §2.3. */
export type LoaderField = 'game_versions' | 'environment' | 'mrpack_loaders';

/** The loader fields of versions for `loaders` (as stored: `mrpack` for modpacks). */
export const loaderFieldsOf = (loaders: readonly string[]): LoaderField[] => [
  'game_versions',
  ...(haveEnvironment(loaders) ? (['environment'] as const) : []),
  ...(loaders.includes('mrpack') ? (['mrpack_loaders'] as const) : []),
];

/** Those without which no version for `loaders` can be created. */
export const mandatoryFieldsOf = (loaders: readonly string[]): LoaderField[] =>
  loaderFieldsOf(loaders).filter((field) => field !== 'mrpack_loaders');

/** Why a version for `loaders` may not have these fields: none of the loaders knows one of them. */
export const whyNotHaveFields = (
  loaders: readonly string[],
  fields: readonly string[],
): RefusalCode | null =>
  fields.every((field) => (loaderFieldsOf(loaders) as string[]).includes(field))
    ? null
    : 'loader_field_unknown';
