import { inOrderOfIds, isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { max_clients } from './rules.ts';
import type { OAuthAuthorization, OAuthClient } from './shape.ts';

/** An app, with what only its own screens need. */
export interface Client extends OAuthClient {
  /** Whether it can keep no secret. */
  is_public: boolean;
}

const selected = (db: Db) => db`
  c.id, c.name, c.icon_key, c.max_scopes, c.created_by, c.created, c.url, c.description,
  c.secret_hash is null as is_public,
  coalesce((
    select json_agg(json_build_object('id', r.id, 'client_id', r.client_id, 'uri', r.uri) order by r.position, r.id)
    from oauth_redirect_uris r where r.client_id = c.id
  ), '[]'::json) as redirect_uris`;

type Row = Omit<Client, 'icon_url'> & { icon_key: string | null };

const clientOf = ({ settings }: Pick<ReadContext, 'settings'>, { icon_key, ...row }: Row): Client => ({
  ...row,
  icon_url: mediaUrlOrNull(settings, icon_key),
});

/** The app without what only its own screens need. */
export const publicClient = ({ is_public: _, ...client }: Client): OAuthClient => client;

/** The apps with these ids, in their order; unknown ones are left out. Source: api-v3 §3.11. */
export async function clientsByIds(context: ReadContext, ids: readonly string[]): Promise<Client[]> {
  const { sql } = context;
  const rows = await sql<Row[]>`
    select ${selected(sql)} from oauth_clients c where c.id = any(${ids.filter(isId)})`;
  return inOrderOfIds(ids, rows).map((row) => clientOf(context, row));
}

/** The app with this id, or null. */
export const clientById = async (context: ReadContext, id: string): Promise<Client | null> =>
  (await clientsByIds(context, [id]))[0] ?? null;

/** The apps that a user made, the newest first. */
export async function clientsOf(context: ReadContext, user_id: string): Promise<Client[]> {
  const { sql } = context;
  const rows = await sql<Row[]>`
    select ${selected(sql)} from oauth_clients c where c.created_by = ${user_id}
    order by c.created desc, c.id limit ${max_clients}`;
  return rows.map((row) => clientOf(context, row));
}

const max_authorizations = 500;

/** What a user lets apps do, the newest first. Source: api-v3 §3.11. */
export const authorizationsOf = async (db: Db, user_id: string): Promise<OAuthAuthorization[]> =>
  await db<OAuthAuthorization[]>`
    select id, client_id as app_id, user_id, scopes, created from oauth_authorizations
    where user_id = ${user_id} order by created desc, id limit ${max_authorizations}`;

/** An authorization as the settings show it. */
export interface AuthorizedApp {
  client: Client;
  /** Name of the person who made the app. */
  owner: string;
  scopes: number;
  created: string;
  last_used: string | null;
}

/** The apps that a user authorized with their owners, the newest first. */
export async function authorizedApps(context: ReadContext, user_id: string): Promise<AuthorizedApp[]> {
  const { sql } = context;
  const rows = await sql<Array<Row & { owner: string; scopes: number; given: string; used: string | null }>>`
    select ${selected(sql)}, u.username as owner, a.scopes & c.max_scopes as scopes, a.created as given,
      (select max(t.last_used) from oauth_tokens t where t.authorization_id = a.id) as used
    from oauth_authorizations a join oauth_clients c on c.id = a.client_id join users u on u.id = c.created_by
    where a.user_id = ${user_id} order by a.created desc, a.id limit ${max_authorizations}`;
  return rows.map(({ owner, scopes, given, used, ...row }) => ({
    client: clientOf(context, row),
    owner,
    scopes,
    created: given,
    last_used: used,
  }));
}
