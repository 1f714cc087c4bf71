import { Refused } from '../errors.ts';
import type { Db } from '../sql.ts';
import { verifyPassword } from './password.ts';
import { markProved } from './session.ts';

/** What the user of a session can prove with who they are. */
export interface ProofWays {
  password: boolean;
}

/** The ways in which `user_id` can prove who they are. */
export async function proofWays(db: Db, user_id: string): Promise<ProofWays> {
  const [user] = await db<Array<{ password: boolean }>>`
    select password_hash is not null as password from users where id = ${user_id}`;
  return user ?? { password: false };
}

/**
 * Notes that the user of the session `token` proved who they are, by their password. Refuses `confirm_failed`, with the
 * same work for accounts without a password. Source: specification §4.
 */
export async function proveByPassword(
  db: Db,
  { user_id, token, password, now }: { user_id: string; token: string; password: string; now: Date },
): Promise<void> {
  const [user] = await db<Array<{ password_hash: string | null }>>`
    select password_hash from users where id = ${user_id}`;
  const is_correct = await verifyPassword(user?.password_hash ?? null, password.slice(0, 1024));
  if (!is_correct) throw new Refused('confirm_failed');
  await markProved(db, token, now);
}
