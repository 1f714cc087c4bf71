import type { Db } from '../../platform/postgres/sql.ts';
import { environmentLoaders } from '../tags/rules.ts';

/** Wanted values of the fields that versions have because of their loaders; any of them suffices. */
export interface FieldFilters {
  game_versions?: readonly string[] | null | undefined;
  mrpack_loaders?: readonly string[] | null | undefined;
  environment?: readonly string[] | null | undefined;
}

/**
 * Conditions on a version `v`: it has one of the wanted values of each field, or lacks the field. Empty lists count as
 * absent. Source: api-v3 §3.4; api-behaviours §5.
 */
export const withFields = (db: Db, { game_versions, mrpack_loaders, environment }: FieldFilters = {}) => db`
  ${game_versions?.length ? db`and v.game_versions && ${[...game_versions]}::text[]` : db``}
  ${mrpack_loaders?.length ? db`and (v.mrpack_loaders = '{}' or v.mrpack_loaders && ${[...mrpack_loaders]}::text[])` : db``}
  ${environment?.length ? db`and (v.environment = any(${[...environment]}::text[]) or not v.loaders && ${environmentLoaders}::text[])` : db``}`;

/** The same conditions with the lists in columns of `q`, null when absent. */
export const withFieldsOf = (db: Db) => db`
  and (q.game_versions is null or v.game_versions && q.game_versions)
  and (q.mrpack_loaders is null or v.mrpack_loaders = '{}' or v.mrpack_loaders && q.mrpack_loaders)
  and (q.environment is null or v.environment = any(q.environment) or not v.loaders && ${environmentLoaders}::text[])`;
