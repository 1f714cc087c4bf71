import { memoizeFor } from '../runtime/memoize.ts';
import type { Db } from '../sql.ts';

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
 * Every game version, explicit ordering first, then newest first. Kept in memory for a minute, since nearly every
 * request about versions needs them and staff change them rarely. Source: api-v2 §11.
 */
export const gameVersions = memoizeFor(
  60_000,
  async (db: Db): Promise<readonly GameVersion[]> =>
    await db<GameVersion[]>`
    select version, version_type, date, major from game_versions
    order by ordering nulls last, date desc, version desc`,
  (found) => found.length === 0,
);

export type Statistics = Record<'projects' | 'versions' | 'authors' | 'files', number>;

/**
 * Searchable projects, their listed versions, the people in their teams and their files; at most half a minute old,
 * since counting all of them is work. Source: api-v2 §11.
 */
export const statistics = memoizeFor(
  30_000,
  async (db: Db): Promise<Statistics> => {
    const [row] = await db<Statistics[]>`
      with shown as (select id, team from projects where status = 'approved'),
        listed as (select v.id from versions v join shown p on p.id = v.project_id where v.status = 'listed')
      select
        (select count(*) from shown) as projects,
        (select count(*) from listed) as versions,
        (select count(distinct user_id) from team_members m join shown p on p.team = m.team_id where m.accepted) as authors,
        (select count(*) from files f join listed v on v.id = f.version_id) as files`;
    return row as Statistics;
  },
  ({ projects }) => projects === 0,
);
