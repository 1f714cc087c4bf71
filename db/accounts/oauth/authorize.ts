import { type RefusalCode, Refused, refusals } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { openFlow, takeFlow } from '../../platform/flows/write.ts';
import { isId, newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { scopesOfNumber, scopesToNumber } from '../../platform/people/scopes/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { type Client, clientById } from './read.ts';
import { isChallenge, isForwarded, isRedirectUri, scopesOfText, withParameters } from './rules.ts';

/** What a request needs of the process: the transaction, and the address of this site. */
export interface OAuthContext extends ReadContext {
  settings: ReadContext['settings'] & Pick<Settings, 'SITE_URL'>;
}

/** A request of an app that waits for the user's decision. */
export interface OpenRequest {
  flow_id: string;
  client: Client;
  scopes: number;
  redirect_uri: string;
}

/** What becomes of a request: the user decides, or the browser is led to `to`, an address of the app. */
export type Asked = OpenRequest | { to: string };

/** What an app was asked with; stored until the user decides. */
interface Stored {
  client_id: string;
  scopes: number;
  /** Where the answer goes. */
  redirect_uri: string;
  /** As the app sent it; null when it sent none. */
  sent_uri: string | null;
  state: string | null;
  challenge: string | null;
}

const max_state = 2000;
const max_open_requests = 20;

/**
 * Takes what an app asks of the actor. Before the redirect address is known to be the app's, refuses
 * `oauth_invalid_request`, `oauth_invalid_client`, `oauth_invalid_uri`; after that, errors lead back to the app. An app
 * that has these scopes already gets a code at once. Source: api-v3 §3.11; RFC 6749 §4.1; RFC 9207.
 */
export async function openRequest(
  context: OAuthContext,
  actor: Actor,
  query: URLSearchParams,
  now: Date,
): Promise<Asked> {
  const { sql: tx, settings } = context;
  const client = await clientOfRequest(context, query);
  const sent_uri = query.get('redirect_uri');
  const redirect_uri = redirectUriOf(client, query);
  const state = query.get('state');
  const wrong = (code: RefusalCode, problem = '') => {
    const text = refusals[code][1].replace('{problem}', problem);
    return { to: errorTo({ redirect_uri, state }, code, text, settings.SITE_URL) };
  };
  const malformed = problemOf(client, query);
  if (malformed !== null) return wrong('oauth_invalid_request', malformed);
  if ((query.get('response_type') ?? 'code') !== 'code') return wrong('oauth_unsupported_response_type');
  const most = scopesOfNumber(client.max_scopes);
  const wanted = scopesOfText(query.get('scope'), most);
  if (!wanted || [...wanted].some((scope) => !most.has(scope))) return wrong('oauth_invalid_scope');
  const scopes = scopesToNumber(wanted);
  const challenge = query.get('code_challenge');
  const stored: Stored = { client_id: client.id, scopes, redirect_uri, sent_uri, state, challenge };
  const [granted] = await tx<Array<{ id: string }>>`
    select id from oauth_authorizations where user_id = ${actor.user_id} and client_id = ${client.id}
      and scopes & ${scopes}::bigint = ${scopes}::bigint`;
  if (granted && isForwarded(client))
    return { to: await codeTo(tx, actor, stored, granted.id, now, settings.SITE_URL) };
  await tx`
    delete from flows where secret_hash in (
      select secret_hash from flows where user_id = ${actor.user_id} and kind = 'oauth_request'
      order by created desc offset ${max_open_requests - 1})`;
  const flow_id = await openFlow(tx, 'oauth_request', { user_id: actor.user_id, data: { ...stored }, now });
  return { flow_id, client, scopes, redirect_uri };
}

async function clientOfRequest(context: OAuthContext, query: URLSearchParams): Promise<Client> {
  const id = query.get('client_id') ?? '';
  if (!isId(id) || query.getAll('client_id').length > 1)
    throw new Refused('oauth_invalid_request', { problem: 'client_id is missing or no ID' });
  const client = await clientById(context, id);
  if (!client) throw new Refused('oauth_invalid_client');
  return client;
}

/** The address to answer at: the one that was asked for, if it is registered, else the first one. */
function redirectUriOf({ redirect_uris }: Client, query: URLSearchParams): string {
  const [sent = null, second] = query.getAll('redirect_uri');
  if (second !== undefined || redirect_uris.length === 0) throw new Refused('oauth_invalid_uri');
  if (sent === null) return redirect_uris[0]!.uri;
  if (!redirect_uris.some(({ uri }) => isRedirectUri(uri, sent))) throw new Refused('oauth_invalid_uri');
  return sent;
}

const known = ['scope', 'state', 'response_type', 'code_challenge', 'code_challenge_method'];

function problemOf({ is_public }: Client, query: URLSearchParams): string | null {
  for (const name of known) if (query.getAll(name).length > 1) return `${name} is given twice`;
  const state = query.get('state') ?? '';
  if (state.length > max_state || !isPrintable(state)) return 'state is too long or has control characters';
  const [challenge, method] = [query.get('code_challenge'), query.get('code_challenge_method')];
  if (challenge === null) return is_public ? 'an app without a secret must send a code_challenge' : null;
  if (method !== 'S256') return 'code_challenge_method must be S256';
  return isChallenge(challenge) ? null : 'code_challenge is malformed';
}

/** Without characters that could end a header or that the database cannot store. */
const isPrintable = (text: string): boolean => !/\p{Cc}/u.test(text) && text.isWellFormed();

/** Where an error leads; its texts are English, for developers. */
function errorTo(
  { redirect_uri, state }: Pick<Stored, 'redirect_uri' | 'state'>,
  code: RefusalCode,
  error_description: string,
  iss: string,
): string {
  const error = code.replace('oauth_', '');
  const kept = state !== null && state.length <= max_state && isPrintable(state) ? state : null;
  return withParameters(redirect_uri, { error, error_description, state: kept, iss });
}

/** Issues a code for an authorization and gives the address that takes it to the app. */
async function codeTo(
  tx: Db,
  { user_id }: Actor,
  { client_id, scopes, redirect_uri, sent_uri, state, challenge }: Stored,
  authorization_id: string,
  now: Date,
  iss: string,
): Promise<string> {
  const data = { client_id, authorization_id, scopes, redirect_uri: sent_uri, challenge };
  const code = await openFlow(tx, 'oauth_code', { user_id, data, now });
  return withParameters(redirect_uri, { code, state, iss });
}

/**
 * Takes the user's decision about an open request and gives the address of the app that hears of it. What was granted
 * before stays granted. Refuses `oauth_server_error` (unknown, used or expired, or of somebody else) and what changed
 * meanwhile: `oauth_invalid_client`, `oauth_invalid_uri`, `oauth_invalid_scope`. Source: api-v3 §3.11.
 */
export async function decideRequest(
  context: OAuthContext,
  actor: Actor,
  { flow, accepted }: { flow: string; accepted: boolean },
  now: Date,
): Promise<string> {
  const { sql: tx, settings } = context;
  const taken = await takeFlow(tx, 'oauth_request', flow, now);
  if (!taken || taken.user_id !== actor.user_id) throw new Refused('oauth_server_error');
  const stored = taken.data as unknown as Stored;
  const client = await clientById(context, stored.client_id);
  if (!client) throw new Refused('oauth_invalid_client');
  if (!client.redirect_uris.some(({ uri }) => isRedirectUri(uri, stored.redirect_uri)))
    throw new Refused('oauth_invalid_uri');
  if (!accepted) {
    const code = 'oauth_access_denied';
    return errorTo(stored, code, refusals[code][1], settings.SITE_URL);
  }
  const most = scopesOfNumber(client.max_scopes);
  if ([...scopesOfNumber(stored.scopes)].some((scope) => !most.has(scope)))
    throw new Refused('oauth_invalid_scope');
  const authorization_id = await grant(tx, actor, stored, now);
  return await codeTo(tx, actor, stored, authorization_id, now, settings.SITE_URL);
}

async function grant(tx: Db, { user_id }: Actor, { client_id, scopes }: Stored, now: Date): Promise<string> {
  const row = { id: newId(), client_id, user_id, scopes, created: now };
  const [granted] = await tx<[{ id: string }]>`
    insert into oauth_authorizations ${tx(row)}
    on conflict (user_id, client_id) do update set scopes = oauth_authorizations.scopes | excluded.scopes
    returning id`;
  const data = { authorization: 'granted' as const };
  await recordEvent(tx, { name: 'user.edited', actor_id: user_id, user_id, data });
  return granted.id;
}
