import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import type { Db } from '../postgres/sql.ts';
import { endAccess } from './end-access.ts';
import { type Actor, accountOf, type Role } from './rules.ts';
import { forever, whyNotLoseAdmin, whyNotSuspend, whyNotUntil } from './suspension-rules.ts';

interface LockedAccount {
  id: string;
  role: Role;
  suspended_until: string | null;
}

/** Locks administrators before the account, always in this order: two of them cannot remove each other at once. */
async function lockAccount(tx: Db, user_id: string): Promise<LockedAccount> {
  await tx`select 1 from users where role = 'admin' order by id for no key update`;
  const [row] = await tx<LockedAccount[]>`
    select id, role, suspended_until from users where id = ${user_id} for no key update`;
  if (!row) throw new Refused('not_found', { id: user_id });
  return row;
}

/** Refuses `last_admin` unless another administrator can still act. Administrators are locked until the commit. */
export async function assertKeepsAdmin(tx: Db, user_id: string, now: Date): Promise<void> {
  const account = await lockAccount(tx, user_id);
  const [{ others }] = await tx<[{ others: number }]>`
    select count(*)::int as others from users where role = 'admin' and id <> ${user_id}
      and (suspended_until is null or suspended_until <= ${now})`;
  assertAllowed(whyNotLoseAdmin(account, others));
}

/**
 * Suspends an account until a time, or without end (null): all that was signed in to it ends. Refuses
 * `not_found`, `moderators_only`, `ghost_user`, `suspending_yourself`, `admins_only`, `suspension_over`, `last_admin`.
 */
export async function suspendUser(
  tx: Db,
  actor: Actor,
  user_id: string,
  { reason, until, now }: { reason: string; until: Date | null; now: Date },
): Promise<void> {
  const account = await lockAccount(tx, user_id);
  assertAllowed(whyNotSuspend(account, actor));
  const end = until ?? forever;
  assertAllowed(whyNotUntil(end, now));
  await assertKeepsAdmin(tx, user_id, now);
  const change = { suspended_until: end, suspension_reason: reason };
  await tx`update users set ${tx(change)} where id = ${user_id}`;
  await endAccess(tx, { user_id });
  await recordEvent(tx, {
    name: 'user.suspended',
    actor_id: accountOf(actor),
    user_id,
    data: { reason, until: until?.toISOString() ?? null },
  });
}

/** Ends a suspension early. Refuses `not_found`, `not_suspended` and as `whyNotSuspend`. */
export async function restoreUser(tx: Db, actor: Actor, user_id: string, now: Date): Promise<void> {
  const account = await lockAccount(tx, user_id);
  assertAllowed(whyNotSuspend(account, actor));
  if (account.suspended_until === null || new Date(account.suspended_until) <= now)
    throw new Refused('not_suspended');
  await tx`update users set suspended_until = null, suspension_reason = null where id = ${user_id}`;
  await recordEvent(tx, { name: 'user.restored', actor_id: accountOf(actor), user_id });
}
