import type { Db } from '../../platform/postgres/sql.ts';

/**
 * How far the files of a version are: `failed` could not be scanned and waits for staff, `done` has something that somebody
 * looks at or looked at, `clean` has nothing.
 */
export type ScanState = 'waiting' | 'failed' | 'done' | 'clean';

/** The state of a version's files; null when they never had to be scanned. */
export async function scanStateOf(db: Db, version_id: string): Promise<ScanState | null> {
  const rows = await db<Array<{ state: string; rules_version: number | null; is_clean: boolean }>>`
    select s.state, s.rules_version, s.complete and (r.severity is null or r.severity = 'low') as is_clean
    from file_scans s join files f on f.id = s.file_id left join scan_reports r on r.file_id = f.id
    where f.version_id = ${version_id}`;
  if (rows.length === 0) return null;
  // a file that is only scanned again has a result
  if (rows.some(({ state, rules_version }) => state === 'waiting' && rules_version === null))
    return 'waiting';
  if (rows.some(({ state }) => state === 'failed')) return 'failed';
  return rows.every(({ is_clean }) => is_clean) ? 'clean' : 'done';
}

/** Nobody waits for a scanner that does not run. */
const patience_ms = 10 * 60_000;

/** `from ... where ...` of files `f` of versions `v` that wait for their first scan. */
export const firstScans = (db: Db, now: Date) => db`
  from file_scans s join files f on f.id = s.file_id join versions v on v.id = f.version_id
  where s.state = 'waiting' and s.rules_version is null and s.requested > ${new Date(now.getTime() - patience_ms)}`;

/** Whether files of the project wait for their first scan, for ten minutes at most. */
export async function awaitsScan(db: Db, project_id: string, now: Date): Promise<boolean> {
  const [row] = await db`select 1 ${firstScans(db, now)} and v.project_id = ${project_id} limit 1`;
  return row !== undefined;
}

/** How many files wait to be scanned, how many seconds the first of the new ones has waited, and how many failed. */
export async function scanBacklog(
  db: Db,
  now: Date,
): Promise<{ waiting: number; oldest_s: number; failed: number }> {
  const [row] = await db<Array<{ waiting: number; oldest: string | null; failed: number }>>`
    select count(*) filter (where state = 'waiting')::int as waiting,
      min(requested) filter (where state = 'waiting' and rules_version is null) as oldest,
      count(*) filter (where state = 'failed')::int as failed
    from file_scans where state <> 'done'`;
  const { waiting, oldest, failed } = row!;
  return { waiting, failed, oldest_s: oldest ? Math.max(0, (now.getTime() - Date.parse(oldest)) / 1000) : 0 };
}

/** Files that could not be scanned, or not read whole so that their version is hidden, the oldest first. */
export interface FailedScan {
  file_id: string;
  filename: string;
  problem: string | null;
  project_id: string;
  project_title: string;
  version_id: string;
  version_number: string;
  /** Whether the version is hidden for it. */
  is_held: boolean;
}
export const failedScans = async (db: Db, limit: number): Promise<FailedScan[]> =>
  await db<FailedScan[]>`
    select s.file_id, f.filename, s.problem, p.id as project_id, p.title as project_title, v.id as version_id,
      v.version_number, 'unread' = any(v.held_for) as is_held
    from file_scans s join files f on f.id = s.file_id join versions v on v.id = f.version_id
      join projects p on p.id = v.project_id
    where (s.state = 'failed' and s.looked_at is null)
      or ('unread' = any(v.held_for) and s.state = 'done' and not s.complete) order by s.requested, s.file_id limit ${limit}`;
