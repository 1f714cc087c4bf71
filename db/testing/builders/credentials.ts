import { newId, randomText } from '../../platform/id.ts';
import { type Scope, scopesToNumber, unrestrictedScopes } from '../../platform/people/scopes/rules.ts';
import { openSession } from '../../platform/people/session.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';

/** Builders of sessions and of tokens of apps, for tests of who may do what by which of them. */

/** A session token of `owner`, who proved who they are `proved_ago_ms` ago: now by default. */
export async function session(db: Db, owner: { id: string }, { proved_ago_ms = 0 } = {}): Promise<string> {
  const now = new Date();
  const proved = new Date(now.getTime() - proved_ago_ms);
  const opened = await openSession(db, { user_id: owner.id, user_agent: null, now, proved });
  return opened.session!;
}

/** A token of an app that `owner` authorized, with all scopes that an app may have by default. */
export async function appToken(
  db: Db,
  owner: { id: string },
  scopes: Iterable<Scope> = unrestrictedScopes,
): Promise<string> {
  const bits = scopesToNumber(scopes);
  const [client_id, authorization_id] = [newId(), newId()];
  const created = new Date();
  const app = { id: client_id, name: 'Test app', max_scopes: bits, created_by: owner.id, created };
  await db`insert into oauth_clients ${db(app)}`;
  const grant = { id: authorization_id, client_id, user_id: owner.id, scopes: bits, created };
  await db`insert into oauth_authorizations ${db(grant)}`;
  const text = `mro_${randomText(60)}`;
  const issued = { token_hash: hashToken(text), authorization_id, scopes: bits, code_hash: hashToken(text) };
  await db`insert into oauth_tokens ${db({ ...issued, created, expires: new Date('2100-01-01') })}`;
  return text;
}
