import { notifyStaff, type StaffNotifying } from '../../messages/staff-notices/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { holdVersion, releaseVersions } from '../holds/hold.ts';
import { tellTeam } from '../holds/tell-team.ts';
import { severities } from '../scanner/rules.ts';
import { isDangerous } from './rules.ts';

/** What is told to whom when a version is held or released. */
export interface Announcing extends StaffNotifying {
  /** Writes the messages for the thread of the project, in Markdown. */
  words: {
    held(version: { version_number: string; issue_types: readonly string[] }): string;
    released(version_numbers: readonly string[]): string;
    attribution(files: readonly string[]): string;
    unread(version_number: string): string;
  };
}

/** The severities that keep a version from the public as long as nobody has decided. */
const grave = severities.filter((severity) => isDangerous({ severity, status: 'pending' }));

/** `from ... where` of the traces `t` of files `f` that keep a version from the public, with their issues `i`. */
export const dangerousTraces = (db: Db) => db`
  from scan_traces t join scan_issues i on i.id = t.issue_id join scan_reports r on r.id = i.report_id
    join files f on f.id = r.file_id left join trace_verdicts e on e.key = t.key
  where (coalesce(t.verdict, e.verdict) = 'unsafe'
    or (coalesce(t.verdict, e.verdict) is null and t.severity = any(${grave})))`;

interface FlaggedVersion {
  id: string;
  project_id: string;
  version_number: string;
  is_held: boolean;
  is_trusted: boolean;
  issue_types: string[];
  /** Stands for the traces that are the reason. */
  occasion: string;
}

/**
 * Keeps a version from the public when a trace says so, blocks its files, and tells its team and staff why; the project's row
 * is locked by the caller. A version of a trusted creator stays unless a person decided just now (`byPerson`): staff hear of it. Gives
 * whether it is held now.
 */
export async function holdIfDangerous(
  tx: Db,
  version_id: string,
  {
    announcing: { words, ...notifying },
    byPerson,
    now,
  }: { announcing: Announcing; byPerson: boolean; now: Date },
): Promise<boolean> {
  const [version] = await tx<FlaggedVersion[]>`
    select v.id, v.project_id, v.version_number, 'review' = any(v.held_for) as is_held,
      exists (select from trusted_creators c where c.user_id = v.author_id and c.taken_away is null) as is_trusted,
      array(select distinct i.issue_type ${dangerousTraces(tx)} and f.version_id = v.id order by 1) as issue_types,
      (select md5(string_agg(distinct t.key, ' ' order by t.key)) ${dangerousTraces(tx)} and f.version_id = v.id) as occasion
    from versions v where v.id = ${version_id}`;
  if (!version || version.issue_types.length === 0) return version?.is_held ?? false;
  if (version.is_held) return true;
  const { project_id, version_number, issue_types, occasion } = version;
  const stays = version.is_trusted && !byPerson;
  const data = { project_id, version_id, version_number, is_held: !stays };
  await notifyStaff(
    tx,
    notifying,
    { kind: 'version_flagged', key: `flagged ${version_id} ${occasion}`, data },
    now,
  );
  if (stays) return false;
  await holdVersion(tx, version, { reason: 'review', now });
  await tellTeam(tx, project_id, words.held({ version_number, issue_types }), now);
  return true;
}

/**
 * Gives the project's held versions back their status, unless a trace still forbids it; the project's row is locked by the
 * caller. Gives the numbers of those that were released.
 */
export async function releaseHeld(tx: Db, actor_id: string | null, project_id: string): Promise<string[]> {
  const safe = await tx<Array<{ id: string }>>`
    select v.id from versions v
    where v.project_id = ${project_id} and 'review' = any(v.held_for)
      and not exists (select ${dangerousTraces(tx)} and f.version_id = v.id)`;
  const ids = safe.map(({ id }) => id);
  return await releaseVersions(tx, { ids, project_id }, { reason: 'review', actor_id });
}
