import type { Db } from '../../platform/postgres/sql.ts';

/** What somebody typed into a form that was refused with `revision_conflict`. */
export interface RefusedEdit {
  fields: Record<string, string>;
  /** The parts of the form that they had changed. */
  touched: string[];
}

interface EditOf {
  user_id: string;
  project_id: string;
  /** Where the form is sent. */
  form: string;
}

const retention_ms = 86_400_000;

/** Stores a refused edit for a day, in place of an earlier one of the same form. */
export async function storeRefusedEdit(
  db: Db,
  of: EditOf,
  { fields, touched }: RefusedEdit,
  now: Date,
): Promise<void> {
  await db`delete from refused_edits where created < ${new Date(now.getTime() - retention_ms)}`;
  const row = { ...of, fields: db.json(fields), touched, created: now };
  await db`
    insert into refused_edits ${db(row as never)}
    on conflict (user_id, project_id, form)
    do update set fields = excluded.fields, touched = excluded.touched, created = excluded.created`;
}

/** The refused edit of a form, null without one. */
export async function refusedEdit(
  db: Db,
  { user_id, project_id, form }: EditOf,
): Promise<RefusedEdit | null> {
  const [row] = await db<RefusedEdit[]>`
    select fields, touched from refused_edits
    where user_id = ${user_id} and project_id = ${project_id} and form = ${form}`;
  return row ?? null;
}

/** Forgets the refused edit of a form that was saved. */
export async function forgetRefusedEdit(db: Db, { user_id, project_id, form }: EditOf): Promise<void> {
  await db`
    delete from refused_edits
    where user_id = ${user_id} and project_id = ${project_id} and form = ${form}`;
}
