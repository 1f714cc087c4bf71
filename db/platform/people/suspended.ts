import { Refused } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';
import { isForever } from './suspension-rules.ts';

/** What is known of the suspension of an account, over or not. */
export interface Suspension {
  suspended_until: string | null;
  suspension_reason: string | null;
}

/** Refuses `account_suspended` or, without an end, `account_banned`, with the reason, for somebody who proved who they are. */
export function assertNotSuspended({ suspended_until, suspension_reason }: Suspension, now: Date): void {
  if (suspended_until === null || new Date(suspended_until) <= now) return;
  const reason = suspension_reason ?? '';
  if (isForever(suspended_until)) throw new Refused('account_banned', { reason });
  throw new Refused('account_suspended', { reason, until: suspended_until.slice(0, 10) });
}

/** `assertNotSuspended` for an account by its id. */
export async function assertMaySignIn(db: Db, user_id: string, now: Date): Promise<void> {
  const [row] = await db<Suspension[]>`
    select suspended_until, suspension_reason from users where id = ${user_id}`;
  if (row) assertNotSuspended(row, now);
}
