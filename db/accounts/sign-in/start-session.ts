import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { openFlow } from '../../platform/flows/write.ts';
import { isNewPlace, type NetworksBefore, storeSignIn } from '../../platform/people/known-networks.ts';
import {
  closeSession,
  deviceOf,
  type NewSession,
  openSession,
  type Session,
} from '../../platform/people/session.ts';
import { assertMaySignIn } from '../../platform/people/suspended.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { noteSecurity } from '../../platform/security-log/origin.ts';
import { factorsOf } from './read.ts';
import { asksSecondStep } from './rules.ts';

/** Where somebody signs in from. */
export interface SignInPlace {
  user_agent: string | null;
  from: NonNullable<NewSession['from']>;
  /** The network of the address, as `networkOf` gives it. */
  network: string;
  /** The session that the browser had before, which ends; null without one. */
  old_token: string | null;
}

/** What a sign-in from there is remembered by: its network, and its kind of device. */
export function networksOf({ network, user_agent }: SignInPlace): string[] {
  const { platform, os } = deviceOf(user_agent ?? '');
  return [network, `device ${platform} ${os}`];
}

/**
 * Signs a user in who gave all that is asked for: a new session, never one that was there before. Whoever signed in
 * elsewhere before gets a mail when network or device are new. One statement, so without a transaction, when no session of
 * the browser ends and no mail is due. Refuses `account_suspended`, `account_banned`.
 */
export async function startSession(
  db: Db,
  mailing: Mailing,
  {
    user_id,
    place,
    now,
    is_new = false,
    is_checked = is_new,
  }: {
    user_id: string;
    place: SignInPlace;
    now: Date;
    /** The account was just created. */
    is_new?: boolean;
    /** Whether the caller saw already that the account is not suspended. */
    is_checked?: boolean;
  },
): Promise<Session> {
  if (!is_checked) await assertMaySignIn(db, user_id, now);
  const { user_agent, from, old_token } = place;
  const here = networksOf(place);
  if (old_token) await closeSession(db, old_token, now);
  let before: NetworksBefore = { known: [], is_first: true };
  const session = await openSession(db, { user_id, user_agent, from, now }, async (row) => {
    before = await storeSignIn(db, row, here, now);
  });
  const credential = `session ${session.id}`;
  const detail = { ...(is_new && { how: 'new' }), ...deviceIn(session) };
  noteSecurity({ kind: 'sign_in', user_id, detail, now }, credential);
  if (!is_new && isNewPlace(before, here)) await tellOfSignIn(db, mailing, session, now);
  return session;
}

/** With what and from where a session began, as far as known: the log of security outlives it. */
const deviceIn = ({ os, platform, city, country }: Session): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ os, platform, city, country }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  );

async function tellOfSignIn(tx: Db, mailing: Mailing, session: Session, now: Date): Promise<void> {
  const { user_id, os, platform, ip, city, country } = session;
  const [user] = await tx<Array<{ username: string }>>`select username from users where id = ${user_id}`;
  if (!user) return;
  const device = [platform, os].filter(Boolean).join(', ') || null;
  const place = [city, country].filter(Boolean).join(', ') || null;
  const data = { ...user, device, ip, place, at: now.toISOString() };
  await queueMail(tx, mailing, { template: 'new_sign_in', to: null, user_id, data, now });
}

/**
 * Whether something is asked of a user after the first factor: then the secret of the flow that waits for it, else null.
 * Passkeys, which check their owner, need no second step.
 */
export async function openSecondStep(
  tx: Db,
  { user_id, now }: { user_id: string; now: Date },
): Promise<string | null> {
  if (!asksSecondStep(await factorsOf(tx, user_id))) return null;
  return await openFlow(tx, 'second_step', { user_id, now });
}
