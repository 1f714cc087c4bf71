import type { Db } from '../../platform/postgres/sql.ts';
import { memoizeFor } from '../../platform/runtime/memoize.ts';

export {
  firstLicense,
  isOsiApproved,
  licenseIdOf,
  licenseName,
  licenses,
  licenseText,
  whyNotLicense,
} from './licenses.ts';

export interface GameVersion {
  version: string;
  version_type: 'release' | 'snapshot' | 'alpha' | 'beta';
  date: string;
  major: boolean;
}

/**
 * Every game version, explicit ordering first, then newest first. Cached for a minute, since nearly every request
 * about versions needs them and they change rarely. Source: api-v2 §11.
 */
export const gameVersions = memoizeFor(
  60_000,
  async (db: Db): Promise<readonly GameVersion[]> =>
    await db<GameVersion[]>`
    select version, version_type, date, major from game_versions
    order by ordering nulls last, date desc, version desc`,
  { keyOf: () => 'all', isEmpty: (found) => found.length === 0 },
);
