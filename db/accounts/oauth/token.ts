import { createHash, timingSafeEqual } from 'node:crypto';
import { Refused } from '../../platform/errors.ts';
import { takeFlow } from '../../platform/flows/write.ts';
import { isId, randomText } from '../../platform/id.ts';
import { type Scope, scopesOfNumber } from '../../platform/people/scopes/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { token_lifetime_s } from './rules.ts';

/** What an app says to be known: its id, and its secret unless it can keep none. */
export interface Credentials {
  client_id: string | null;
  client_secret: string | null;
}

/**
 * The id of the app with these credentials. Refuses `oauth_invalid_request` (no id), `oauth_invalid_client` (unknown),
 * `oauth_wrong_secret` (also one that is missing, or sent by an app that has none). Source: api-v3 §3.11.
 */
export async function authenticateClient(db: Db, { client_id, client_secret }: Credentials): Promise<string> {
  if (client_id === null || !isId(client_id))
    throw new Refused('oauth_invalid_request', { problem: 'client_id is missing or no ID' });
  const [client] = await db<Array<{ secret_hash: string | null }>>`
    select secret_hash from oauth_clients where id = ${client_id}`;
  if (!client) throw new Refused('oauth_invalid_client');
  const right =
    client.secret_hash === null
      ? client_secret === null
      : client_secret !== null && isSame(client.secret_hash, hashToken(client_secret));
  if (!right) throw new Refused('oauth_wrong_secret');
  return client_id;
}

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The body of a token request. */
export interface TokenRequest {
  grant_type: string | null;
  code: string | null;
  redirect_uri: string | null;
  code_verifier: string | null;
}

export interface IssuedToken {
  access_token: string;
  scopes: Set<Scope>;
}

interface Code {
  client_id: string;
  authorization_id: string;
  scopes: number;
  redirect_uri: string | null;
  challenge: string | null;
}

/**
 * Exchanges a code for an access token: `mro_` and 60 characters, stored as a hash. The code is used up whatever comes
 * of it, and a code that comes again ends the tokens issued for it: so a refusal is given, not thrown, for the caller to
 * commit first. Gives `oauth_invalid_grant`, `oauth_unauthorized_client`, `oauth_invalid_request`. Source: api-v3 §3.11;
 * RFC 6749 §4.1.2; RFC 7636 §4.6.
 */
export async function exchangeCode(
  tx: Db,
  client_id: string,
  { grant_type, code, redirect_uri, code_verifier }: TokenRequest,
  now: Date,
): Promise<IssuedToken | Refused> {
  if (code === null) return new Refused('oauth_invalid_grant');
  const code_hash = hashToken(code);
  const taken = await takeFlow(tx, 'oauth_code', code, now);
  if (!taken) {
    await tx`delete from oauth_tokens where code_hash = ${code_hash}`;
    return new Refused('oauth_invalid_grant');
  }
  const data = taken.data as unknown as Code;
  if (data.client_id !== client_id) return new Refused('oauth_unauthorized_client');
  if (data.redirect_uri !== redirect_uri)
    return new Refused('oauth_invalid_request', { problem: 'redirect_uri differs from the first request' });
  if (grant_type !== 'authorization_code' || !isProof(data.challenge, code_verifier))
    return new Refused('oauth_invalid_grant');
  // locked, so that a token is issued either before a revocation, which ends it, or not at all
  const { authorization_id, scopes } = data;
  const [granted] = await tx`select 1 from oauth_authorizations where id = ${authorization_id} for share`;
  if (!granted) return new Refused('oauth_invalid_grant');
  const access_token = `mro_${randomText(60)}`;
  const row = {
    ...{ token_hash: hashToken(access_token), authorization_id, scopes, code_hash },
    ...{ created: now, expires: new Date(now.getTime() + token_lifetime_s * 1000) },
  };
  await tx`insert into oauth_tokens ${tx(row)}`;
  return { access_token, scopes: scopesOfNumber(scopes) };
}

/** Whether `verifier` proves `challenge`. A verifier without a challenge was added by somebody else. Source: RFC 9700 §2.1.1. */
function isProof(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return createHash('sha256').update(verifier).digest('base64url') === challenge;
}

/** Ends an access token of the app; ignores unknown ones and those of others. Source: RFC 7009 §2. */
export async function revokeToken(tx: Db, client_id: string, token: string): Promise<void> {
  await tx`
    delete from oauth_tokens t using oauth_authorizations a
    where a.id = t.authorization_id and a.client_id = ${client_id} and t.token_hash = ${hashToken(token)}`;
}

/** Deletes expired access tokens. Gives how many. */
export async function deleteExpiredTokens(db: Db, now: Date): Promise<number> {
  return (await db`delete from oauth_tokens where expires <= ${now}`).count;
}
