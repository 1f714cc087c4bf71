import { Refused } from '#db/errors.ts';
import { failFlow, readFlow, takeFlow } from '#db/flows/write.ts';
import { isKnownNetwork } from '#db/people/known-networks.ts';
import type { Session } from '#db/people/session.ts';
import { accountForSignIn, verifySignIn } from '#db/people/write.ts';
import type { Limiter } from '#db/runtime/rate-limit.ts';
import { hashToken } from '#db/secrets/hash.ts';
import { openSecondStep, type SignInPlace, startSession } from '#db/sign-in/start-session.ts';
import { takeCode } from '#db/sign-in/two-factor.ts';
import type { Db } from '#db/sql.ts';
import type { AppServices } from '../../context.ts';
import { networkOf } from '../../http/address.ts';
import { originOfAddress } from '../route/request-origin.ts';
import { authLimits, countAttempt } from './limits.ts';

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

/** A session, or the flow that waits for a second step. */
export type SignInResult = { session: Session; flow?: never } | { session?: never; flow: string };

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
 * exists, and `rate_limited`.
 */
export async function signInWithPassword(
  services: AppServices,
  { username, password, place, now }: Given & { username: string; password: string },
): Promise<SignInResult> {
  const { sql } = services;
  const { network } = place;
  const limits = authLimits(services);
  const found = await accountForSignIn(sql, username);
  // name and e-mail address share one count; an unknown name may be a mistyped password or not storable, so it is hashed
  const account = found?.id ?? hashToken(username.toLowerCase());
  const keys: Array<[Limiter, string]> = [
    [limits.pair, `${network} ${account}`],
    [limits.network, network],
  ];
  // guesses from elsewhere must not lock users out of networks where they signed in before
  if (!(await isKnownNetwork(sql, found?.id ?? null, network))) keys.push([limits.account, account]);
  const takeBack = counting(services, keys);
  const user_id = await verifySignIn(found, password);
  takeBack(now);
  return (await sql.begin((tx) => afterFirstFactor(tx, services, { user_id, place, now }))) as SignInResult;
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
    throw new Refused('code_wrong');
  }
  takeBack(now);
  return (await sql.begin(async (tx) => {
    if (!(await takeFlow(tx, 'second_step', flow, now))) throw new Refused('flow_invalid');
    return await startSession(tx, services, { user_id, place, now });
  })) as Session;
}
