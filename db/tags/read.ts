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

const fresh_ms = 60_000;
let kept: { versions: readonly GameVersion[]; until: number } = { versions: [], until: 0 };
let asking: Promise<readonly GameVersion[]> | null = null;

/**
 * Every game version, explicit ordering first, then newest first. Kept in memory for a minute, since nearly every
 * request about versions needs them and staff change them rarely. Source: api-v2 §11.
 */
export async function gameVersions(db: Db): Promise<readonly GameVersion[]> {
  if (kept.versions.length > 0 && Date.now() < kept.until) return kept.versions;
  asking ??= ask(db).finally(() => {
    asking = null;
  });
  return await asking;
}

async function ask(db: Db): Promise<readonly GameVersion[]> {
  const versions = await db<GameVersion[]>`
    select version, version_type, date, major from game_versions
    order by ordering nulls last, date desc, version desc`;
  kept = { versions, until: Date.now() + fresh_ms };
  return versions;
}

/** Drops what is kept: for whoever changes game versions. */
export const forgetGameVersions = (): void => {
  kept = { versions: [], until: 0 };
};

/**
 * Counts shown on the home page and by `/v2/statistics`: searchable projects, their listed versions, the people in
 * their teams and their files. Source: api-v2 §11.
 */
export async function statistics(
  db: Db,
): Promise<Record<'projects' | 'versions' | 'authors' | 'files', number>> {
  const [row] = await db<Array<Record<'projects' | 'versions' | 'authors' | 'files', number>>>`
    with shown as (select id, team from projects where status = 'approved'),
      listed as (select v.id from versions v join shown p on p.id = v.project_id where v.status = 'listed')
    select
      (select count(*) from shown) as projects,
      (select count(*) from listed) as versions,
      (select count(distinct user_id) from team_members m join shown p on p.team = m.team_id where m.accepted) as authors,
      (select count(*) from files f join listed v on v.id = f.version_id) as files`;
  return row!;
}
