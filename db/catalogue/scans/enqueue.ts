import type { Db, Pool } from '../../platform/postgres/sql.ts';

/** Has files scanned, in the transaction that inserts them. */
export async function enqueueScans(tx: Db, file_ids: readonly string[], now: Date): Promise<void> {
  if (file_ids.length === 0) return;
  await tx`
    insert into file_scans (file_id, requested, due)
    select id, ${now}, ${now} from unnest(${file_ids as string[]}::text[]) as n (id)`;
}

/** Has one file scanned again, also one that failed for good. False when there is no such file. */
export async function enqueueAgain(tx: Db, file_id: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    insert into file_scans (file_id, requested, due) select id, ${now}, ${now} from files where id = ${file_id}
    on conflict (file_id) do update
      set state = 'waiting', requested = excluded.requested, due = excluded.due, attempts = 0, problem = null`;
  return count > 0;
}

/** Has everything scanned again that was scanned by older rules; new files come first. Gives how many. */
export async function enqueueOutdated(sql: Pool, rules_version: number, now: Date): Promise<number> {
  const { count } = await sql`
    update file_scans set state = 'waiting', requested = ${now}, due = ${now}, attempts = 0
    where state = 'done' and rules_version < ${rules_version}`;
  return count;
}
