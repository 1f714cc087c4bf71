import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { type RefusalCode, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { verifyPassword } from '../../platform/people/password.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { noteSecurity } from '../../platform/security-log/origin.ts';
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
 * Ends a session in which somebody keeps guessing who its user is, and tells the user by mail: whoever has it is probably
 * somebody else.
 */
export async function endGuessedSession(tx: Db, mailing: Mailing, actor: Actor, now: Date): Promise<void> {
  const { user_id, username, session } = actor;
  const gone = await tx`delete from sessions where user_id = ${user_id} and public_id = ${session ?? null}`;
  if (gone.count === 0) return;
  await queueMail(tx, mailing, { template: 'session_guessed', to: null, user_id, data: { username }, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { sessions: 'ended' } });
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
  const failed = (code: RefusalCode): never => {
    noteSecurity({ kind: 'proof_failed', user_id, now });
    throw new Refused(code);
  };
  const [user] = await db<Array<{ password_hash: string | null }>>`
    select password_hash from users where id = ${user_id}`;
  if (ways.password && !(await verifyPassword(user?.password_hash ?? null, password.slice(0, 1024))))
    return failed('confirm_failed');
  if (ways.code && !(await takeCode(db, mailing, { user_id, code, now }))) failed('code_wrong');
}
