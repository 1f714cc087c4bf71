import type { Db } from '../../../platform/postgres/sql.ts';
import type { Before, ChangeWork } from '../content/change-work.ts';
import type { ChangeView } from '../content/view.ts';
import { requestedTask, type Task, taskById } from '../tasks/rows.ts';

/** Changes of content and loader as they are stored. */

interface ChangeData {
  kind: ChangeView['kind'];
  /** First 20 of what changes, and how many there are. */
  items: ChangeView['items'];
  count: number;
  wanted: ChangeWork;
  /** What the server was, for taking the change back. */
  before: Before;
  /** The operation that moved all files into the trash. */
  erase_op_id: string | null;
  /** The operation that brings them back after a failure. */
  revert_op_id: string | null;
  /** The change that this one takes back, and the one that took this one back. */
  undoes: string | null;
  undone_by: string | null;
  /** Its first start afterwards. */
  first_start: 'begun' | 'ok' | 'failed' | null;
}
export type Change = Task<'change', ChangeView['step'], ChangeData>;

/** The change with this id, or null. */
export const changeById = (db: Db, id: string): Promise<Change | null> => taskById<Change>(db, 'change', id);

/** Whether this change was requested before. Refuses `operation_mismatch` when its id belongs to something else. */
export async function isRepeated(
  db: Db,
  { op_id, server_id, kind }: { op_id: string; server_id: string; kind: ChangeView['kind'] },
): Promise<boolean> {
  const isSame = (before: Change) => before.server_id === server_id && before.data.kind === kind;
  return (await requestedTask<Change>(db, 'change', op_id, isSame)) !== null;
}
