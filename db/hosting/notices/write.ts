import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { scopeFor, whyNotAnswer } from '../servers/rules.ts';
import { whyNotDates, whyNotManageNotices } from './rules.ts';
import type { NoticeInput } from './shape.ts';

/**
 * Creates a notice; triggers of migration 0100 notify open panels. Refuses as `whyNotManageNotices` says, and
 * `notice_dates`, and `proof_required` for one to all.
 */
export async function createNotice(
  db: Db,
  actor: Actor | null,
  input: NoticeInput,
  now: Date,
): Promise<string> {
  assertMaySend(actor, input, now);
  assertAllowed(whyNotDates(input.begins, input.expires));
  const { targets, ...row } = input;
  const id = newId();
  await db`insert into server_notices ${db({ ...row, id, created_by: actor!.user_id })}`;
  await setTargets(db, id, targets);
  const { level } = input;
  await recordEvent(db, { name: 'notice.created', actor_id: actor!.user_id, notice_id: id, data: { level } });
  return id;
}

/** Updates a notice; dismissals stay. Refuses like `createNotice`, and `notice_unknown`. */
export async function editNotice(
  db: Db,
  actor: Actor | null,
  id: string,
  input: NoticeInput,
  now: Date,
): Promise<void> {
  assertMaySend(actor, input, now);
  assertAllowed(whyNotDates(input.begins, input.expires));
  const { targets, ...row } = input;
  const { count } = await db`update server_notices set ${db(row)} where id = ${id}`;
  if (count === 0) throw new Refused('notice_unknown');
  await db`delete from server_notice_targets where notice_id = ${id}`;
  await setTargets(db, id, targets);
  const { level } = input;
  await recordEvent(db, { name: 'notice.edited', actor_id: actor!.user_id, notice_id: id, data: { level } });
}

/** A notice without targets is one for all, which needs a proof of who sends it. */
function assertMaySend(actor: Actor | null, { targets }: NoticeInput, now: Date): void {
  assertAllowed(whyNotManageNotices(actor));
  if (actor && targets.length === 0) assertAllowed(whyNotProved(actor, now));
}

async function setTargets(db: Db, notice_id: string, targets: NoticeInput['targets']): Promise<void> {
  if (targets.length === 0) return;
  const rows = targets.map((target) => ({ notice_id, node_id: null, server_id: null, ...target }));
  const requested = db`
    select t.notice_id, n.id as node_id, s.id as server_id
    from jsonb_to_recordset(${db.json(rows)}) as t (notice_id text, node_id text, server_id text)
    left join nodes n on n.id = t.node_id left join servers s on s.id = t.server_id
    where n.id is not null or s.id is not null`;
  const { count } = await db`insert into server_notice_targets (notice_id, node_id, server_id) ${requested}`;
  // a notice for what is not there would become one for all
  if (count !== targets.length)
    throw new Refused('invalid_input', { problem: 'a target does not exist', field: 'targets' });
}

/**
 * Ends a notice now: an active one is over, a future one is deleted. Refuses as `whyNotManageNotices` says, and
 * `notice_unknown`.
 */
export async function endNotice(db: Db, actor: Actor | null, id: string, now: Date): Promise<void> {
  assertAllowed(whyNotManageNotices(actor));
  const { count: deleted } = await db`delete from server_notices where id = ${id} and begins >= ${now}`;
  if (deleted === 0) {
    const { count } = await db`
      update server_notices set expires = least(coalesce(expires, ${now}), ${now}) where id = ${id}`;
    if (count === 0) throw new Refused('notice_unknown');
  }
  await recordEvent(db, { name: 'notice.ended', actor_id: actor!.user_id, notice_id: id });
}

/** Dismisses a notice for this user. Refuses `scope_missing`, `notice_unknown` and `notice_not_dismissable`. */
export async function dismissNotice(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  assertAllowed(whyNotAnswer(actor), { scope: scopeFor.change });
  const [notice] = await db<{ dismissable: boolean }[]>`
    select dismissable from server_notices where id = ${id} and begins <= ${now} for key share`;
  if (!notice) throw new Refused('notice_unknown');
  assertAllowed(notice.dismissable ? null : 'notice_not_dismissable');
  const row = { notice_id: id, user_id: actor.user_id, dismissed: now };
  await db`insert into server_notice_dismissals ${db(row)} on conflict do nothing`;
}

/** Notifies control planes when a notice started or ended in the last minute. */
export async function notifyDueNotices(db: Db, now: Date): Promise<void> {
  const minute_ago = new Date(now.getTime() - 60_000);
  await db`
    select pg_notify('hosting', 'notices') where exists (
      select 1 from server_notices
      where begins between ${minute_ago} and ${now} or expires between ${minute_ago} and ${now})`;
}
