import type { Db } from '../../../platform/postgres/sql.ts';
import type { ChangeRow } from '../content/open-change.ts';
import type { ChangeView } from '../content/view.ts';
import { isInForce, max_shown_changes, whyNotUndoChange } from './rules.ts';

type Shown = Pick<
  ChangeRow,
  'id' | 'kind' | 'step' | 'items' | 'count' | 'created' | 'ended' | 'error' | 'first_start'
> & { by: string | null; progress: { done: number; total: number | null } | null };

/** The newest changes of a server as its owner sees them, newest first; for events. */
export async function changeViews(db: Db, server_id: string): Promise<ChangeView[]> {
  const rows = await db<Shown[]>`
    select c.id, c.kind, c.step, c.items, c.count, c.created, c.ended, c.error, c.first_start, u.username as by, o.progress
    from server_changes c
    left join users u on u.id = c.actor_id
    left join server_backups b on b.id = c.safety_backup_id
    left join server_operations o on c.ended is null and o.id = case c.step
      when 'safety' then b.op_id when 'erasing' then c.erase_op_id else c.id end
    where c.server_id = ${server_id} order by c.created desc, c.id limit ${max_shown_changes}`;
  let newer = false;
  return rows.map((row) => {
    const view = viewOf(row, newer);
    newer ||= isInForce(row);
    return view;
  });
}

/** The newest change of a server, or null. */
export const newestChange = async (db: Db, server_id: string): Promise<ChangeView | null> =>
  (await changeViews(db, server_id))[0] ?? null;

function viewOf(row: Shown, newer: boolean): ChangeView {
  const { id, kind, step, items, count, created, ended, error, first_start, by, progress } = row;
  return {
    ...{ id, kind, step, items, count, by, created, ended },
    progress: progress && { done: progress.done, total: progress.total },
    error: ended === null ? null : error,
    undoable: whyNotUndoChange({ step, kind, newer }) === null,
    start_failed: first_start === 'failed',
  };
}
