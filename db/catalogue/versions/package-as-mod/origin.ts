import { Refused } from '../../../platform/errors.ts';
import { extensionOf } from '../../../platform/files/rules.ts';
import { packLoaderNames } from '../../tags/rules.ts';
import { limits } from '../rules.ts';
import type { Version } from '../shape.ts';
import type { ModLoader } from './manifests.ts';

type File = Version['files'][number];

/** Whether a version can be packaged as a mod at all; whether its file can is seen when it is read. */
export const isDataPack = ({ loaders }: Pick<Version, 'loaders'>): boolean => loaders.includes('datapack');

/**
 * The file of a data pack that becomes a mod: the primary one, else the first zip that is not of another kind. Refuses
 * `version_not_data_pack`, `data_pack_not_zip`.
 */
export function packFileOf<F extends Pick<File, 'filename' | 'primary' | 'file_type'>>(version: {
  loaders: readonly string[];
  files: readonly F[];
}): F {
  if (!version.loaders.includes('datapack')) throw new Refused('version_not_data_pack');
  const isZip = ({ filename }: F) => extensionOf(filename) === 'zip';
  const primary = version.files.find((file) => file.primary) ?? version.files[0];
  if (!primary) throw new Refused('version_not_data_pack');
  const found = isZip(primary)
    ? primary
    : version.files.find((file) => isZip(file) && file.file_type === null);
  if (!found) throw new Refused('data_pack_not_zip', { filename: primary.filename });
  return found;
}

/** The loaders that a version does not serve yet. */
export const missingLoaders = ({ loaders }: Pick<Version, 'loaders'>): ModLoader[] =>
  packLoaderNames.filter((name) => !loaders.includes(name));

/** A number for the mod of a version that no other version has: `1.2+mod`, `1.2+mod.2`. */
export function suggestedNumber(number: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '+mod' : `+mod.${count}`;
    const found = number.slice(0, limits.version_number - end.length) + end;
    if (!taken.has(found)) return found;
  }
}
