import { Refused } from '../errors.ts';
import type { Mailing } from '../mail/queue.ts';
import { verifyPassword } from '../people/password.ts';
import type { Db } from '../sql.ts';
import { factorsOf } from './read.ts';
import { takeCode } from './two-factor.ts';

/** What somebody must give to prove again who they are. A passkey proves it alone. */
export interface ProofWays {
  password: boolean;
  code: boolean;
  passkey: boolean;
}

/** The ways in which `user_id` can prove who they are. */
export async function proofWays(db: Db, user_id: string): Promise<ProofWays> {
  const { password, totp, passkeys } = await factorsOf(db, user_id);
  return { password, code: totp, passkey: passkeys > 0 };
}

/**
 * Checks what the user of a session gave to prove who they are: their password, and a code where an authenticator app is
 * set up. Refuses `confirm_failed` for whichever is wrong, `proof_other` for accounts with neither. Source: specification §4.
 */
export async function checkProof(
  db: Db,
  mailing: Pick<Mailing, 'sealer'>,
  { user_id, password, code, now }: { user_id: string; password: string; code: string; now: Date },
): Promise<void> {
  const ways = await proofWays(db, user_id);
  if (!ways.password && !ways.code) throw new Refused('proof_other');
  const [user] = await db<Array<{ password_hash: string | null }>>`
    select password_hash from users where id = ${user_id}`;
  if (ways.password && !(await verifyPassword(user?.password_hash ?? null, password.slice(0, 1024))))
    throw new Refused('confirm_failed');
  if (ways.code && !(await takeCode(db, mailing, { user_id, code, now }))) throw new Refused('code_wrong');
}
