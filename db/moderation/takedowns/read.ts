import type { Status } from '../../catalogue/projects/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { containing } from '../../platform/text/like-pattern.ts';
import type { TakedownKind } from './rules.ts';

/** A takedown as staff see it; times are ISO texts, names null when their account is gone. */
export interface Takedown {
  id: string;
  /** Null when the project was deleted. */
  project_id: string | null;
  project_title: string;
  kind: TakedownKind;
  reason: string;
  reference: string;
  status_before: Status;
  placed: string;
  placed_by: string | null;
  ended: string | null;
  ended_by: string | null;
  counter_notice: string | null;
  counter_sent: string | null;
  counter_by: string | null;
  counter_refused: string | null;
}

/** Which takedowns: those with a counter-notice that waits, those in force, those that are over, or all. */
export const takedownViews = ['answered', 'in_force', 'over', 'all'] as const;
export type TakedownView = (typeof takedownViews)[number];

interface Query {
  view: TakedownView;
  /** Part of a title, a reference or a reason, or an id; empty for all. */
  text: string;
  limit: number;
  offset: number;
}

const columns = (db: Db) => db`
  t.id, t.project_id, t.project_title, t.kind, t.reason, t.reference, t.status_before, t.placed, t.ended,
  t.counter_notice, t.counter_sent, t.counter_refused,
  p.username as placed_by, e.username as ended_by, c.username as counter_by`;
const people = (db: Db) => db`
  left join users p on p.id = t.placed_by
  left join users e on e.id = t.ended_by
  left join users c on c.id = t.counter_by`;

/** One page of takedowns, the longest wait first where counter-notices wait, else newest first; one query. */
export async function listTakedowns(
  db: Db,
  { view, text, limit, offset }: Query,
): Promise<{ takedowns: Takedown[]; total: number }> {
  const waits = db`(t.ended is null and t.counter_notice is not null and t.counter_refused is null)`;
  const within = {
    answered: waits,
    in_force: db`t.ended is null`,
    over: db`t.ended is not null`,
    all: db`true`,
  }[view];
  const part = containing(text);
  const rows = await db<Array<Takedown & { total: number }>>`
    select ${columns(db)}, (count(*) over ())::int as total
    from takedowns t ${people(db)}
    where ${within} and (${text === ''} or t.project_title ilike ${part} or t.reference ilike ${part}
      or t.reason ilike ${part} or t.id = ${text} or t.project_id = ${text})
    order by ${view === 'answered' ? db`t.counter_sent, t.id` : db`t.placed desc, t.id`}
    limit ${limit} offset ${offset}`;
  return { takedowns: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** The takedown with this id, or null. */
export async function findTakedown(db: Db, id: string): Promise<Takedown | null> {
  const [row] = await db<Takedown[]>`
    select ${columns(db)} from takedowns t ${people(db)} where t.id = ${id}`;
  return row ?? null;
}

/** The takedown of a project that is in force, or null. */
export async function takedownOf(db: Db, project_id: string): Promise<Takedown | null> {
  const [row] = await db<Takedown[]>`
    select ${columns(db)} from takedowns t ${people(db)} where t.project_id = ${project_id} and t.ended is null`;
  return row ?? null;
}
