import { lease_ms } from '../../platform/postgres/claim-due.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';

/** A version file that is to be scanned. */
export interface DueScan {
  file_id: string;
  version_id: string;
  project_id: string;
  filename: string;
  /** With this one. */
  attempts: number;
  requested: string;
  /** Whether it was never scanned: the public waits for it. */
  is_first: boolean;
}

/** Tries before a scan is left to people. */
const max_attempts = 3;
const retry_ms = 30_000;

/**
 * Takes up to `limit` files whose scan is due: new ones first, then those that are scanned again. Accounts take turns, whoever
 * was served longest ago first, so that nobody's files wait behind all those of somebody else.
 */
export const takeScans = (sql: Pool, now: Date, limit: number): Promise<DueScan[]> =>
  sql.begin(async (tx) => {
    // whose commit is lost in a crash is taken again
    await tx`set local synchronous_commit = off`;
    return await tx<DueScan[]>`
      with taken as (
        update file_scans set attempts = attempts + 1, due = ${new Date(now.getTime() + lease_ms)}
        where file_id = any(array(
          select s.file_id
          from file_scans s join files f on f.id = s.file_id join versions v on v.id = f.version_id
            left join scan_turns t on t.user_id = v.author_id
          where s.state = 'waiting' and s.due <= ${now}
          order by s.rules_version is not null, t.served nulls first, s.due limit ${limit}
          for update of s skip locked))
        returning file_id, attempts, rules_version, requested
      ), turns as (
        insert into scan_turns (user_id, served)
        select distinct v.author_id, ${now}::timestamptz
        from taken t join files f on f.id = t.file_id join versions v on v.id = f.version_id
        on conflict (user_id) do update set served = excluded.served
      )
      select t.file_id, f.version_id, v.project_id, f.filename, t.attempts, t.requested, t.rules_version is null as is_first
      from taken t join files f on f.id = t.file_id join versions v on v.id = f.version_id
      order by t.rules_version is not null, t.requested`;
  }) as Promise<DueScan[]>;

/** Whether the process that took a scan the last time ended in the middle of it, and that was the last try. */
export const isGivenUp = ({ attempts }: Pick<DueScan, 'attempts'>): boolean => attempts > max_attempts;

/** Stores that a scan could not be done. Gives whether it was the last try. A file that is gone is not tried again. */
export async function storeFailure(
  db: Db,
  { file_id, attempts }: Pick<DueScan, 'file_id' | 'attempts'>,
  { problem, now }: { problem: string; now: Date },
): Promise<boolean> {
  const ends = attempts >= max_attempts || problem === 'missing';
  await db`
    update file_scans set problem = ${problem}, state = ${ends ? 'failed' : 'waiting'},
      due = ${new Date(now.getTime() + retry_ms * 2 ** attempts)}
    where file_id = ${file_id}`;
  return ends;
}
