import type { Db } from '../../../platform/postgres/sql.ts';
import type { ChangeView } from '../content/view.ts';
import type { Change } from './rows.ts';
import { isInForce, max_shown_changes, whyNotUndoChange } from './rules.ts';

type Shown = Pick<Change, 'id' | 'step' | 'ended' | 'error'> &
  Pick<Change['data'], 'kind' | 'items' | 'count' | 'first_start'> &
  Pick<ChangeView, 'created' | 'by' | 'progress'>;

/** The newest changes of a server as its owner sees them, newest first; for events. */
export async function changeViews(db: Db, server_id: string): Promise<ChangeView[]> {
  const rows = await db<Shown[]>`
    select c.id, c.data->>'kind' as kind, c.step, c.data->'items' as items, (c.data->>'count')::int as count,
      c.began as created, c.ended, c.error, c.data->>'first_start' as first_start, u.username as by, o.progress
    from server_tasks c
    left join users u on u.id = c.actor_id
    left join server_backups b on b.id = c.safety_backup_id
    left join server_operations o on c.ended is null and o.id = case c.step
      when 'safety' then b.op_id when 'erasing' then (c.data->>'erase_op_id')::uuid else c.id end
    where c.server_id = ${server_id} and c.kind = 'change' order by c.began desc, c.id limit ${max_shown_changes}`;
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
