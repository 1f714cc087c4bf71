import { asksSecondStep } from '#db/accounts/sign-in/rules.ts';
import {
  networksOf,
  openSecondStep,
  type SignInPlace,
  startSession,
} from '#db/accounts/sign-in/start-session.ts';
import { takeCode } from '#db/accounts/sign-in/two-factor.ts';
import { Refused } from '#db/platform/errors.ts';
import { failFlow, openFlow, readFlow, takeFlow } from '#db/platform/flows/write.ts';
import { isKnownNetwork, isNewPlace } from '#db/platform/people/known-networks.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import type { Session } from '#db/platform/people/session.ts';
import type { User } from '#db/platform/people/shape.ts';
import { assertNotSuspended } from '#db/platform/people/suspended.ts';
import { accountForSignIn, verifySignIn } from '#db/platform/people/write.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { Limiter } from '#db/platform/runtime/rate-limit.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import { noteSecurity } from '#db/platform/security-log/origin.ts';
import type { AppServices } from '../../platform/context.ts';
import { originOfAddress } from '../../platform/route/request-origin.ts';
import { authLimits, countAttempt } from './limits.server.ts';

/** The steps of a sign-in, the same for our own pages and for the API. Source: specification §4; api-v3 §4. */

/** Where a request signs in from; `old_token` is the session that its browser had before. */
export async function placeOf(
  services: AppServices,
  { request, address, old_token = null }: { request: Request; address: string; old_token?: string | null },
): Promise<SignInPlace> {
  const user_agent = request.headers.get('user-agent');
  return {
    user_agent,
    from: await originOfAddress(address, services),
    network: networkOf(address),
    old_token,
  };
}

/** A session, and its user where that was read at the same time; or the flow that waits for a second step. */
export type SignInResult =
  | { session: Session; user?: User | null; flow?: never }
  | { session?: never; user?: never; flow: string };

interface Given {
  place: SignInPlace;
  now: Date;
}

/** Counts attempts that turn out wrong; gives how to take them back. Refuses `rate_limited`. */
function counting(services: AppServices, keys: Array<[Limiter, string]>): (now: Date) => void {
  // of this moment, not of the start of the request: counts of other processes may have come since
  for (const [limiter, key] of keys) countAttempt(limiter, key, services.now());
  return (now) => {
    for (const [limiter, key] of keys) limiter.hit(key, now.getTime(), -1); // only failures count
  };
}

/**
 * The first step, by password. Refuses `invalid_credentials`, with the same words and the same work whether the account
 * exists, `rate_limited`, `account_suspended` and `account_banned`. Beside the hash it takes two round trips and one commit, unless a session of the browser ends
 * or a mail is due.
 */
export async function signInWithPassword(
  services: AppServices,
  { username, password, place, now }: Given & { username: string; password: string },
): Promise<SignInResult> {
  const { sql } = services;
  const { network } = place;
  const limits = authLimits(services);
  const here = networksOf(place);
  const found = await accountForSignIn(sql, username, here);
  // name and e-mail address share one count; an unknown name may be a mistyped password or not storable, so it is hashed
  const account = found?.id ?? hashToken(username.toLowerCase());
  const keys: Array<[Limiter, string]> = [
    [limits.pair, `${network} ${account}`],
    [limits.network, network],
  ];
  // guesses from elsewhere must not lock users out of networks where they signed in before
  if (!found?.known.includes(network)) keys.push([limits.account, account]);
  const takeBack = counting(services, keys);
  const user_id = await verifySignIn(found, password).catch((error) => {
    noteSecurity({ kind: 'sign_in_failed', user_id: found?.id ?? null, now });
    throw error;
  });
  takeBack(now);
  assertNotSuspended(found!, now);
  if (asksSecondStep(found!)) return { flow: await openFlow(sql, 'second_step', { user_id, now }) };
  const given = { user_id, place, now, is_checked: true };
  const isOneStatement = place.old_token === null && !isNewPlace(found!, here);
  const [session, user] = await Promise.all([
    isOneStatement
      ? startSession(sql, services, given)
      : (sql.begin((tx) => startSession(tx, services, given)) as Promise<Session>),
    userByIdOrName(services, user_id),
  ]);
  return { session, user };
}

/** What follows a right first factor that is no passkey: a session, or the flow of the second step. */
export async function afterFirstFactor(
  tx: Db,
  services: AppServices,
  { user_id, place, now, is_new = false }: Given & { user_id: string; is_new?: boolean },
): Promise<SignInResult> {
  const flow = await openSecondStep(tx, { user_id, now });
  return flow === null
    ? { session: await startSession(tx, services, { user_id, place, now, is_new }) }
    : { flow };
}

/**
 * The second step, by a code of the authenticator app or a backup code. Wrong ones count for the flow, the account and the
 * network. Refuses `flow_invalid`, `code_wrong`, `rate_limited`.
 */
export async function answerSecondStep(
  services: AppServices,
  { flow, code, place, now }: Given & { flow: string; code: string },
): Promise<Session> {
  const { sql } = services;
  const { network } = place;
  const limits = authLimits(services);
  const user_id = (await readFlow(sql, 'second_step', flow, now))?.user_id;
  if (!user_id) throw new Refused('flow_invalid');
  const keys: Array<[Limiter, string]> = [
    [limits.codePair, `${network} ${user_id}`],
    [limits.network, network],
  ];
  if (!(await isKnownNetwork(sql, user_id, network))) keys.push([limits.code, user_id]);
  const takeBack = counting(services, keys);
  if (!(await takeCode(sql, services, { user_id, code, now }))) {
    await failFlow(sql, 'second_step', flow);
    noteSecurity({ kind: 'sign_in_failed', user_id, detail: { how: 'code' }, now });
    throw new Refused('code_wrong');
  }
  takeBack(now);
  return (await sql.begin(async (tx) => {
    if (!(await takeFlow(tx, 'second_step', flow, now))) throw new Refused('flow_invalid');
    return await startSession(tx, services, { user_id, place, now });
  })) as Session;
}
