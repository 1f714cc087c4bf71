import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { failFlow, openFlow, readFlow, takeFlow } from '../../platform/flows/write.ts';
import { endAccess } from '../../platform/people/end-access.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { storeBackupCodes, takeBackupCode } from './backup-codes.ts';
import { factorsOf } from './read.ts';
import { newTotpSecret, totpStep } from './totp.ts';

/** Two-factor authentication: the authenticator app and the backup codes of a user. Source: api-v3 §4 (2fa). */

const purpose = (user_id: string): string => `totp:${user_id}`;

/** Opens the set-up of an authenticator app. Refuses `proof_required`, `two_factor_on`. */
export async function startTotp(
  tx: Db,
  { sealer }: Pick<Mailing, 'sealer'>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ secret: string; flow: string }> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id } = actor;
  if ((await factorsOf(tx, user_id)).totp) throw new Refused('two_factor_on');
  const secret = newTotpSecret();
  const data = { secret: sealer.seal(secret, purpose(user_id)) };
  return { secret, flow: await openFlow(tx, 'totp_setup', { user_id, data, now }) };
}

/** The secret of an open set-up of the actor's. Refuses `flow_invalid`. */
export async function totpOfSetup(
  db: Db,
  { sealer }: Pick<Mailing, 'sealer'>,
  { actor, flow, now }: { actor: Actor; flow: string; now: Date },
): Promise<string> {
  const found = await readFlow(db, 'totp_setup', flow, now);
  const sealed = found?.user_id === actor.user_id ? String(found.data.secret) : '';
  const secret = sealer.open(sealed, purpose(actor.user_id));
  if (secret === null) throw new Refused('flow_invalid');
  return secret;
}

/** The right first code of an app that is being set up. */
export interface TotpSetup {
  secret: string;
  last_step: number;
}

/**
 * Checks the first code of an app that is being set up. A wrong one counts: call it outside the transaction that the
 * refusal undoes. Refuses `proof_required`, `flow_invalid`, `code_wrong`.
 */
export async function checkTotpSetup(
  db: Db,
  mailing: Pick<Mailing, 'sealer'>,
  { actor, flow, code, now }: { actor: Actor; flow: string; code: string; now: Date },
): Promise<TotpSetup> {
  assertAllowed(whyNotProved(actor, now));
  const secret = await totpOfSetup(db, mailing, { actor, flow, now });
  const last_step = totpStep(secret, digitsOf(code), now);
  if (last_step !== null) return { secret, last_step };
  await failFlow(db, 'totp_setup', flow);
  throw new Refused('code_wrong');
}

/**
 * Turns two-factor authentication on, with the hashes of new backup codes. Refuses `proof_required`, `flow_invalid`,
 * `two_factor_on`.
 */
export async function turnOnTotp(
  tx: Db,
  mailing: Mailing,
  {
    actor,
    flow,
    setup: { secret, last_step },
    hashes,
    now,
  }: { actor: Actor; flow: string; setup: TotpSetup; hashes: readonly string[]; now: Date },
): Promise<void> {
  const { user_id, username } = actor;
  assertAllowed(whyNotProved(actor, now));
  if (!(await takeFlow(tx, 'totp_setup', flow, now))) throw new Refused('flow_invalid');
  const totp_secret = mailing.sealer.seal(secret, purpose(user_id));
  const { count } = await tx`
    insert into two_factor ${tx({ user_id, totp_secret, last_step, created: now })}
    on conflict (user_id) do update set totp_secret = excluded.totp_secret, last_step = excluded.last_step
    where two_factor.totp_secret is null`;
  if (count === 0) throw new Refused('two_factor_on');
  await storeBackupCodes(tx, user_id, hashes);
  const ended = await endAccess(tx, { user_id, keep: actor.session });
  const data = { username, ended };
  await queueMail(tx, mailing, { template: 'two_factor_enabled', to: null, user_id, data, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { two_factor: 'on' } });
}

const digitsOf = (code: string): string => code.replace(/\s/g, '');

/**
 * Whether `code` is a code of the user's app that was not used yet, or one of their backup codes; uses it up. Of
 * simultaneous callers with the same code one gets true.
 */
export async function takeCode(
  db: Db,
  { sealer }: Pick<Mailing, 'sealer'>,
  { user_id, code, now }: { user_id: string; code: string; now: Date },
): Promise<boolean> {
  const digits = digitsOf(code);
  if (!/^\d{6}$/.test(digits)) return await takeBackupCode(db, user_id, code);
  const [row] = await db<Array<{ totp_secret: string | null }>>`
    select totp_secret from two_factor where user_id = ${user_id}`;
  const secret = row?.totp_secret ? sealer.open(row.totp_secret, purpose(user_id)) : null;
  const step = secret === null ? null : totpStep(secret, digits, now);
  if (step === null) return false;
  // codes of this step and of earlier ones are used up: nobody who saw one can send it again
  const { count } = await db`
    update two_factor set last_step = ${step}
    where user_id = ${user_id} and (last_step is null or last_step < ${step})`;
  return count === 1;
}

/** Why the actor cannot turn their authenticator app off now: refuses `proof_required`, `two_factor_off`. */
export async function assertTotpOn(db: Db, actor: Actor, now: Date): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  if (!(await factorsOf(db, actor.user_id)).totp) throw new Refused('two_factor_off');
}

/**
 * Takes the authenticator app of a user away, and ends all access to the account but `keep`: for operators, when somebody lost
 * it, with `all` their passkey step too.
 */
export async function dropTotp(
  tx: Db,
  mailing: Mailing,
  {
    user_id,
    now,
    keep,
    all = false,
  }: { user_id: string; now: Date; keep?: string | undefined; all?: boolean },
): Promise<boolean> {
  await tx`delete from two_factor where user_id = ${user_id} and (${all} or not passkeys)`;
  await tx`update two_factor set totp_secret = null, last_step = null where user_id = ${user_id}`;
  const [user] = await tx<Array<{ username: string }>>`select username from users where id = ${user_id}`;
  if (!user) return false;
  const data = { ...user, ended: await endAccess(tx, { user_id, keep }) };
  await queueMail(tx, mailing, { template: 'two_factor_removed', to: null, user_id, data, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { two_factor: 'off' } });
  return true;
}

/**
 * Replaces all backup codes of the actor by new ones, whose hashes these are. Refuses `proof_required`, `two_factor_off`.
 */
export async function renewBackupCodes(
  tx: Db,
  { actor, hashes, now }: { actor: Actor; hashes: readonly string[]; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id } = actor;
  const [on] = await tx`select from two_factor where user_id = ${user_id} for update`;
  if (!on) throw new Refused('two_factor_off');
  await storeBackupCodes(tx, user_id, hashes);
  await recordEvent(tx, { name: 'user.edited', user_id, data: { two_factor: 'codes' } });
}

/**
 * Sets whether a passkey is asked for after the password. Turned on, the account needs a passkey and gets the backup codes
 * whose hashes these are, unless it has some: gives whether they were stored. Refuses `proof_required`, `no_passkey`.
 */
export async function setPasskeyStep(
  tx: Db,
  { actor, on, hashes, now }: { actor: Actor; on: boolean; hashes: readonly string[]; now: Date },
): Promise<boolean> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id } = actor;
  await tx`select from users where id = ${user_id} for no key update`;
  const { passkeys, backup_codes } = await factorsOf(tx, user_id);
  if (!on) {
    await dropPasskeyStep(tx, user_id);
    await endAccess(tx, { user_id, keep: actor.session });
    return false;
  }
  if (passkeys === 0) throw new Refused('no_passkey');
  await tx`
    insert into two_factor ${tx({ user_id, passkeys: true, created: now })}
    on conflict (user_id) do update set passkeys = true`;
  if (backup_codes === 0) await storeBackupCodes(tx, user_id, hashes);
  await endAccess(tx, { user_id, keep: actor.session });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { two_factor: 'on' } });
  return backup_codes === 0;
}

/** No longer asks a user for a passkey after the password. */
export async function dropPasskeyStep(tx: Db, user_id: string): Promise<void> {
  const removed = await tx`delete from two_factor where user_id = ${user_id} and totp_secret is null`;
  const changed = await tx`update two_factor set passkeys = false where user_id = ${user_id} and passkeys`;
  if (removed.count + changed.count > 0)
    await recordEvent(tx, { name: 'user.edited', user_id, data: { two_factor: 'off' } });
}
