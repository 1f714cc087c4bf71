import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer, type ServerRecord, serversById } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { loginName, sftpScopes, whyNotSftp } from './rules.ts';
import type { SftpKeyView, SftpView } from './view.ts';

/** How `actor` signs in to a server. Refuses as `whyNotHave.files` says. */
export async function sftpOf(
  db: Db,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<Pick<SftpView, 'user' | 'password' | 'keys'>> {
  await findAuthorizedServer(db, actor, server_id, now, whyNotHave.files);
  const [password] = await db<Array<NonNullable<SftpView['password']>>>`
    select created, last_used from sftp_passwords where user_id = ${actor.user_id} and server_id = ${server_id}`;
  const keys = await db<SftpKeyView[]>`
    select id, name, fingerprint, created, last_used from sftp_keys
    where user_id = ${actor.user_id} and server_id = ${server_id} order by created, id limit 100`;
  return { user: loginName(actor.username, server_id), password: password ?? null, keys: [...keys] };
}

/** What a person may sign in with. */
export interface SftpLogin {
  user_id: string;
  server_id: string;
  password_hash: string | null;
  keys: Array<{ id: string; public_key: string }>;
}

/** Password and keys of an account for a server; null when there is no such account. One query, whatever there is. */
export async function findSftpLogin(
  db: Db,
  { username, server_id }: { username: string; server_id: string },
): Promise<SftpLogin | null> {
  const [row] = await db<SftpLogin[]>`
    select u.id as user_id, ${server_id}::text as server_id, p.password_hash,
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'public_key', k.public_key)), '[]')
        from sftp_keys k where k.user_id = u.id and k.server_id = ${server_id}) as keys
    from users u left join sftp_passwords p on p.user_id = u.id and p.server_id = ${server_id}
    where u.username = ${username}::text::citext`;
  return row ?? null;
}

/** What an open connection signed in with: the hash of its password, or a key. */
export interface SftpGrant {
  user_id: string;
  server_id: string;
  password_hash: string | null;
  key_id: string | null;
}

/**
 * Who is behind each of these connections, in their order, without the role of the account, which needs a session; null where the right ended: the password or key is another
 * one or gone, the account is suspended or may not use its files any more, or the server is gone or suspended.
 */
export async function sftpActors(
  db: Db,
  grants: readonly SftpGrant[],
  now: Date,
): Promise<Array<Actor | null>> {
  if (grants.length === 0) return [];
  const valid = await db<Array<Omit<Actor, 'scopes' | 'interactive'> & { at: number }>>`
    select g.at, u.id as user_id, u.username, 'developer' as role, u.email_verified
    from jsonb_to_recordset(${db.json(grants.map((grant, at) => ({ ...grant, at })) as never)})
      as g (at int, user_id text, server_id text, password_hash text, key_id text)
    join users u on u.id = g.user_id and (u.suspended_until is null or u.suspended_until <= ${now})
    where case when g.key_id is not null
      then exists (select from sftp_keys k
        where k.id = g.key_id and k.user_id = g.user_id and k.server_id = g.server_id)
      else exists (select from sftp_passwords p
        where p.user_id = g.user_id and p.server_id = g.server_id and p.password_hash = g.password_hash) end`;
  const ids = [...new Set(grants.map(({ server_id }) => server_id))];
  const servers = new Map<string, ServerRecord>();
  // as many as one query reads
  for (let from = 0; from < ids.length; from += 200)
    for (const one of await serversById(db, ids.slice(from, from + 200), now)) servers.set(one.view.id, one);
  const scopes = new Set(sftpScopes);
  const actors = new Map(valid.map(({ at, ...actor }) => [at, { ...actor, scopes, interactive: false }]));
  return grants.map(({ server_id }, at) => {
    const [actor, server] = [actors.get(at), servers.get(server_id)];
    return actor && server && !whyNotSftp(actor, server.facts) ? actor : null;
  });
}
