import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId, randomText } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import { type Scope, scopesOfNumber, scopesToNumber } from '../../platform/people/scopes/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { max_tokens } from './read.ts';
import { whyNotTokenExpiry, whyNotTokenScopes } from './rules.ts';
import type { PersonalAccessToken } from './shape.ts';

export interface NewToken {
  user_id: string;
  name: string;
  scopes: Iterable<Scope>;
  expires: Date;
  now: Date;
  /** To mail the user about it; null when nobody needs to hear of it. */
  mailing: Mailing | null;
  /** Who makes it: the person, who must have proved recently who they are; null for commands of operators. */
  by: Actor | null;
}

/**
 * Issues a personal access token: `mrp_` and 60 characters, stored as SHA-256, so `access_token` is available only
 * now. Mails the user. Refuses `proof_required`, `scope_restricted`,
 * `token_expiry_past`, `token_expiry_late`, `not_found` and `too_many_tokens`. Source: api-v2 §1.6; api-v3 §4.2.
 */
export async function createToken(
  db: Db,
  { user_id, name, scopes, expires, now, mailing, by }: NewToken,
): Promise<PersonalAccessToken & { access_token: string }> {
  const requested = [...scopes];
  if (by) assertAllowed(whyNotProved(by, now));
  assertAllowed(whyNotTokenScopes(requested, by) ?? whyNotTokenExpiry(expires, now));
  // the user's row is locked before the count, which would otherwise see the tokens from before the wait
  const [user] = await db<Array<{ username: string }>>`
    select username from users where id = ${user_id} for update`;
  if (!user) throw new Refused('not_found');
  const [count] = await db<Array<{ tokens: number }>>`
    select count(*)::int as tokens from tokens where user_id = ${user_id}`;
  if (count && count.tokens >= max_tokens) throw new Refused('too_many_tokens', { max: max_tokens });
  const access_token = `mrp_${randomText(60)}`;
  const id = newId();
  const row = {
    id,
    user_id,
    name,
    token_hash: hashToken(access_token),
    scopes: scopesToNumber(requested),
    created: now,
    expires,
  };
  await db`insert into tokens ${db(row)}`;
  await recordEvent(db, { name: 'user.edited', user_id, data: { token: 'created' } });
  if (mailing) {
    const data = { username: user.username, token_name: name };
    await queueMail(db, mailing, { template: 'pat_created', to: null, user_id, data, now });
  }
  const times = { created: now.toISOString(), expires: expires.toISOString(), last_used: null };
  return { id, name, access_token, scopes: row.scopes, user_id, ...times };
}

export interface TokenEdit {
  name?: string;
  scopes?: Iterable<Scope>;
  expires?: Date;
}

/**
 * Changes a token of `by`; what is absent stays. A token of somebody else is left alone in silence, as if there
 * were none. Refuses `scope_restricted`, `token_expiry_past`, `token_expiry_late`, and `proof_required` for more scopes or a
 * later end. Source: api-v3 §4.2.
 */
export async function editToken(
  db: Db,
  { id, edit, now, by }: { id: string; edit: TokenEdit; now: Date; by: Actor },
): Promise<void> {
  const [old] = await db<Array<{ name: string; scopes: number; expires: string }>>`
    select name, scopes, expires from tokens where id = ${id} and user_id = ${by.user_id} for update`;
  if (!old) return;
  const scopes = [...(edit.scopes ?? scopesOfNumber(old.scopes))];
  if (isWider(old, scopes, edit.expires)) assertAllowed(whyNotProved(by, now));
  if (edit.scopes) assertAllowed(whyNotTokenScopes(scopes, by));
  // renaming a token that has expired is fine
  if (edit.expires) assertAllowed(whyNotTokenExpiry(edit.expires, now));
  const row = {
    name: edit.name ?? old.name,
    scopes: scopesToNumber(scopes),
    expires: edit.expires ?? new Date(old.expires),
  };
  await db`update tokens set ${db(row)} where id = ${id}`;
  await recordEvent(db, { name: 'user.edited', user_id: by.user_id, data: { token: 'edited' } });
}

/** Whether a token may do more than before, or for longer. */
function isWider(
  old: { scopes: number; expires: string },
  scopes: readonly Scope[],
  expires: Date | undefined,
): boolean {
  const before = scopesOfNumber(old.scopes);
  const isLonger = expires !== undefined && expires.getTime() > Date.parse(old.expires);
  return isLonger || scopes.some((scope) => !before.has(scope));
}

/** Deletes a token of `user_id`, which is invalid from now on. Idempotent; ignores tokens of others. */
export async function deleteToken(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<void> {
  const gone = await db`delete from tokens where id = ${id} and user_id = ${user_id}`;
  if (gone.count > 0) await recordEvent(db, { name: 'user.edited', user_id, data: { token: 'deleted' } });
}
