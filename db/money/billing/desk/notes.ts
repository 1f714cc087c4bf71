import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import { type Actor, accountOf } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { whyNotManageBilling } from '../refunds/rules.ts';

/** The longest note, and how many there may be about one person. */
export const maxNote = 2_000;
const max_notes = 200;

export interface BillingNote {
  id: string;
  text: string;
  /** Null for the operator, and for accounts that are gone. */
  author: string | null;
  created: string;
}

/** The notes about somebody's payments, newest first. */
export const billingNotes = (db: Db, user_id: string): Promise<BillingNote[]> => db<BillingNote[]>`
  select n.id, n.text, u.username as author, n.created from billing_notes n left join users u on u.id = n.actor_id
  where n.user_id = ${user_id} order by n.created desc, n.id limit ${max_notes}`;

/** Adds a note about somebody's payments. Refuses `admins_only`, `user_unknown`, `billing_note_length`, `billing_notes_limit`. */
export async function addBillingNote(
  tx: Db,
  actor: Actor,
  { user_id, text: given }: { user_id: string; text: string },
  now: Date,
): Promise<void> {
  assertAllowed(whyNotManageBilling(actor));
  const text = given.replace(/\r\n?/g, '\n').trim();
  if (text === '' || text.length > maxNote) throw new Refused('billing_note_length', { most: maxNote });
  const [user] = await tx`select 1 from users where id = ${user_id} for no key update`;
  if (!user) throw new Refused('user_unknown');
  const [count] = await tx<[{ all: number }]>`
    select count(*)::int as all from billing_notes where user_id = ${user_id}`;
  if (count.all >= max_notes) throw new Refused('billing_notes_limit', { most: max_notes });
  const id = newId();
  await tx`insert into billing_notes ${tx({ id, user_id, actor_id: accountOf(actor), text, created: now })}`;
  await recordEvent(tx, {
    name: 'billing.noted',
    actor_id: accountOf(actor),
    user_id,
    data: { note_id: id },
  });
}

/** Removes a note. Refuses `admins_only`; one that is gone already is fine. */
export async function removeBillingNote(tx: Db, actor: Actor, user_id: string, id: string): Promise<void> {
  assertAllowed(whyNotManageBilling(actor));
  const gone = await tx`delete from billing_notes where id = ${id} and user_id = ${user_id} returning id`;
  if (gone.length > 0)
    await recordEvent(tx, {
      name: 'billing.note_removed',
      actor_id: accountOf(actor),
      user_id,
      data: { note_id: id },
    });
}
