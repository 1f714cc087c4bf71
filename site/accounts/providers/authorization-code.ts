import { CodeChallengeMethod, OAuth2Client, OAuth2Tokens } from 'arctic';
import { Refused } from '#db/platform/errors.ts';
import { boundedText, failed, jsonObject } from './bounded-request.ts';
import type { Attempt, Registration } from './provider.ts';

/** The code grant with PKCE, by arctic. Source: RFC 6749 §4.1; RFC 7636. */

const client = ({ client_id, client_secret, callback }: Registration) =>
  new OAuth2Client(client_id, client_secret, callback);

/** Where to send the browser. */
export const authorizationUrl = (
  endpoint: string,
  registration: Registration,
  { state, verifier }: Attempt,
  scopes: string[],
): URL =>
  client(registration).createAuthorizationURLWithPKCE(
    endpoint,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );

/** The code that a provider sent the browser back with. Refuses `provider_declined`, `provider_failed`. */
export function codeOf(query: URLSearchParams, provider: string): string {
  const error = query.get('error');
  if (error === 'access_denied') throw new Refused('provider_declined', { provider });
  const code = query.get('code');
  if (error !== null || !code || code.length > 4096)
    throw failed(provider, error?.slice(0, 100) ?? 'no code');
  return code;
}

/**
 * Exchanges a code for tokens. arctic's own request neither ends in time nor bounds the answer, so only its parts around
 * the request are used. Refuses `provider_away`, `provider_failed`.
 */
export async function exchangeCode(
  endpoint: string,
  { client_id, client_secret, callback, limit_ms }: Registration,
  { code, verifier, provider, post }: { code: string; verifier: string; provider: string; post?: boolean },
): Promise<OAuth2Tokens> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: verifier,
    // the two standard ways to send the secret
    ...(post && { client_id, client_secret }),
  });
  const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'Cairn' };
  if (!post) headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  const text = await boundedText(endpoint, { method: 'POST', body, headers }, { provider, limit_ms });
  const data = jsonObject(text, provider);
  if ('error' in data) throw failed(provider, String(data.error).slice(0, 100)); // GitHub says so with status 200
  return new OAuth2Tokens(data);
}

/** The access token of an answer. Refuses `provider_failed`. */
export function accessTokenOf(tokens: OAuth2Tokens, provider: string): string {
  try {
    return tokens.accessToken();
  } catch (error) {
    throw failed(provider, error);
  }
}
