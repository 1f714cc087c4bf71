import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { isId, newId, randomText } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import { type Scope, scopesOfNumber, scopesToNumber } from '../../platform/people/scopes/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import {
  max_clients,
  whyNotEditClient,
  whyNotRedirectUri,
  whyNotRotateSecret,
  whyNotScopes,
} from './rules.ts';
import type { ClientEdit, NewClient } from './shape.ts';

const newSecret = (): string => randomText(32);

interface LockedClient {
  id: string;
  name: string;
  max_scopes: number;
  url: string | null;
  description: string | null;
  created_by: string;
  secret_hash: string | null;
  icon_key: string | null;
  raw_icon_key: string | null;
}

/** Locks an app for a change by the actor. Refuses `not_found`, `not_yours`. */
export async function lockClient(tx: Db, actor: Actor, id: string): Promise<LockedClient> {
  if (!isId(id)) throw new Refused('not_found', { id });
  const [row] = await tx<LockedClient[]>`
    select id, name, max_scopes, url, description, created_by, secret_hash, icon_key, raw_icon_key
    from oauth_clients where id = ${id} for no key update`;
  if (!row) throw new Refused('not_found', { id });
  assertAllowed(whyNotEditClient(row, actor));
  return row;
}

type Change = 'created' | 'edited' | 'secret_rotated' | 'deleted';

/** Records a change of an app of `user_id`. */
export const recordChange = (tx: Db, actor: Actor, user_id: string, application: Change): Promise<void> =>
  recordEvent(tx, { name: 'user.edited', actor_id: actor.user_id, user_id, data: { application } });

/**
 * Adds an app of the actor. Gives its id and its secret, which is available only now; null for an app that can keep
 * none. Refuses `scope_restricted`, `redirect_uri_invalid`, `too_many_applications`, `not_found`. Source: api-v3 §3.11.
 */
export async function createClient(
  tx: Db,
  actor: Actor,
  given: NewClient,
  now: Date,
): Promise<{ id: string; secret: string | null }> {
  const scopes = scopesOfNumber(given.max_scopes);
  assertAllowed(whyNotScopes(scopes));
  assertRedirectUris(given.redirect_uris);
  // the user's row is locked before the count, which would otherwise see the apps from before the wait
  const [user] = await tx`select 1 from users where id = ${actor.user_id} for update`;
  if (!user) throw new Refused('not_found');
  const [count] = await tx<[{ clients: number }]>`
    select count(*)::int as clients from oauth_clients where created_by = ${actor.user_id}`;
  if (count.clients >= max_clients) throw new Refused('too_many_applications', { max: max_clients });
  const [id, secret] = [newId(), given.public ? null : newSecret()];
  const row = {
    id,
    name: given.name,
    max_scopes: scopesToNumber(scopes),
    secret_hash: secret && hashToken(secret),
    url: given.url ?? null,
    description: given.description || null,
    created_by: actor.user_id,
    created: now,
  };
  await tx`insert into oauth_clients ${tx(row)}`;
  await setRedirectUris(tx, id, given.redirect_uris);
  await recordChange(tx, actor, actor.user_id, 'created');
  return { id, secret };
}

/**
 * Changes an app; absent fields stay, null clears address and description, redirect addresses are replaced as a whole.
 * Refuses `not_found`, `not_yours`, `scope_restricted`, `redirect_uri_invalid`. Source: api-v3 §3.11.
 */
export async function editClient(tx: Db, actor: Actor, id: string, edit: ClientEdit): Promise<void> {
  const client = await lockClient(tx, actor, id);
  if (edit.redirect_uris) assertRedirectUris(edit.redirect_uris);
  const scopes = edit.max_scopes === undefined ? null : scopesOfNumber(edit.max_scopes);
  if (scopes) assertAllowed(whyNotScopes(scopes));
  const row = {
    name: edit.name ?? client.name,
    max_scopes: scopes ? scopesToNumber(scopes) : client.max_scopes,
    url: edit.url === undefined ? client.url : edit.url,
    description: edit.description === undefined ? client.description : edit.description || null,
  };
  await tx`update oauth_clients set ${tx(row)} where id = ${id}`;
  if (edit.redirect_uris) await setRedirectUris(tx, id, edit.redirect_uris);
  await recordChange(tx, actor, client.created_by, 'edited');
}

/**
 * Gives an app a new secret, available only now; the old one is invalid at once, tokens stay. Refuses `not_found`,
 * `not_yours`, `proof_required`, and `not_found` for an app that can keep none.
 */
export async function rotateSecret(tx: Db, actor: Actor, id: string, now: Date): Promise<string> {
  const client = await lockClient(tx, actor, id);
  assertAllowed(whyNotRotateSecret(client, actor));
  assertAllowed(whyNotProved(actor, now));
  if (client.secret_hash === null) throw new Refused('not_found', { id });
  const secret = newSecret();
  await tx`update oauth_clients set secret_hash = ${hashToken(secret)} where id = ${id}`;
  await recordChange(tx, actor, client.created_by, 'secret_rotated');
  return secret;
}

function assertRedirectUris(uris: readonly string[]): void {
  for (const uri of uris) assertAllowed(whyNotRedirectUri(uri), { uri: uri.slice(0, 100) });
}

/** Those that stay keep their ids. */
async function setRedirectUris(tx: Db, client_id: string, uris: readonly string[]): Promise<void> {
  const wanted = [...new Set(uris)];
  await tx`delete from oauth_redirect_uris where client_id = ${client_id} and not uri = any(${wanted})`;
  const rows = wanted.map((uri, position) => ({ id: newId(), client_id, uri, position }));
  if (rows.length > 0)
    await tx`
      insert into oauth_redirect_uris ${tx(rows)}
      on conflict (client_id, uri) do update set position = excluded.position`;
}

/** Ends what a user lets an app do, with its tokens and open codes. Idempotent. Source: api-v3 §3.11. */
export async function revokeAuthorization(tx: Db, actor: Actor, client_id: string): Promise<void> {
  const { user_id } = actor;
  const gone = await tx`
    delete from oauth_authorizations where user_id = ${user_id} and client_id = ${client_id}`;
  if (gone.count > 0)
    await recordEvent(tx, {
      name: 'user.edited',
      actor_id: user_id,
      user_id,
      data: { authorization: 'revoked' },
    });
}

/**
 * Takes scopes away from what a user lets an app do, at once for its tokens too; without any left it is revoked. Scopes
 * that were not granted are not granted by it.
 */
export async function narrowAuthorization(
  tx: Db,
  actor: Actor,
  client_id: string,
  kept: Iterable<Scope>,
): Promise<void> {
  const { user_id } = actor;
  const [old] = await tx<Array<{ scopes: number }>>`
    select scopes from oauth_authorizations
    where user_id = ${user_id} and client_id = ${client_id} for update`;
  if (!old) return;
  const granted = scopesOfNumber(old.scopes);
  const scopes = [...kept].filter((scope) => granted.has(scope));
  if (scopes.length === 0) return await revokeAuthorization(tx, actor, client_id);
  if (scopes.length === granted.size) return;
  await tx`
    update oauth_authorizations set scopes = ${scopesToNumber(scopes)}
    where user_id = ${user_id} and client_id = ${client_id}`;
  const data = { authorization: 'narrowed' as const };
  await recordEvent(tx, { name: 'user.edited', actor_id: user_id, user_id, data });
}
