import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { takeName } from '../../platform/names/kept.ts';
import { whyNotLookAlike } from '../../platform/people/look-alike.ts';
import {
  type Actor,
  isAdmin,
  type Role,
  whyNotEditUser,
  whyNotProved,
  whyNotRankUser,
  whyNotUsername,
} from '../../platform/people/rules.ts';
import { assertKeepsAdmin } from '../../platform/people/suspend.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { UserEdit } from './shape.ts';

/** What writes need to know of a user, with the row locked until the commit. */
export interface LockedUser {
  id: string;
  username: string;
  bio: string | null;
  links: string[];
  role: Role;
  badges: number;
  allow_friend_requests: boolean;
  avatar_key: string | null;
  raw_avatar_key: string | null;
  banner_key: string | null;
  raw_banner_key: string | null;
}

/** Locks a user for an edit by the actor. Refuses `not_found`, `ghost_user`, `not_yours`. */
export async function lockUser(tx: Db, actor: Actor, user_id: string): Promise<LockedUser> {
  const [row] = await tx<LockedUser[]>`
    select id, username, bio, links, role, badges, allow_friend_requests, avatar_key, raw_avatar_key,
      banner_key, raw_banner_key
    from users where id = ${user_id} for no key update`;
  if (!row) throw new Refused('not_found', { id: user_id });
  assertAllowed(whyNotEditUser(row, actor));
  return row;
}

/**
 * Changes a profile; absent fields stay. Refuses `not_found`, `ghost_user`, `not_yours`, `admins_only` (role, badges),
 * `proof_required` (role), `last_admin`, `username_malformed`, `username_taken`, `username_confusable`. Source: api-v2 §7; api-v3 §3.7; api-behaviours §12, §17 (3).
 */
export async function editUser(
  tx: Db,
  actor: Actor,
  user_id: string,
  change: UserEdit & { links?: readonly string[] },
  now: Date,
): Promise<void> {
  if (change.role != null && change.role !== 'admin' && isAdmin(actor))
    await assertKeepsAdmin(tx, user_id, now);
  const user = await lockUser(tx, actor, user_id);
  const { username, bio, links, role, badges, allow_friend_requests } = change;
  if (role != null || badges != null) assertAllowed(whyNotRankUser(actor));
  if (role != null && role !== user.role) assertAllowed(whyNotProved(actor, now));
  if (username != null && username !== user.username) await assertFree(tx, user_id, username);
  const given = {
    ...(username == null ? {} : { username }),
    ...(bio === undefined ? {} : { bio }),
    ...(links === undefined ? {} : { links: [...links] }),
    ...(role == null ? {} : { role }),
    ...(badges == null ? {} : { badges }),
    ...(allow_friend_requests == null ? {} : { allow_friend_requests }),
  };
  const fields = (Object.keys(given) as Array<keyof typeof given>).filter(
    (field) => JSON.stringify(given[field]) !== JSON.stringify(user[field]),
  );
  if (fields.length === 0) return;
  await tx`update users set ${tx(given, fields)} where id = ${user_id}`;
  const about = { actor_id: actor.user_id, user_id };
  if (fields.includes('username'))
    await recordEvent(tx, {
      name: 'user.renamed',
      ...about,
      data: { username: given.username, old_username: user.username },
    });
  const others = fields.filter((field) => field !== 'username');
  if (others.length === 0) return;
  // what somebody may do is told apart in the audit log
  const ranked = {
    ...(others.includes('role') && { role: { from: user.role, to: given.role! } }),
    ...(others.includes('badges') && { badges: { from: user.badges, to: given.badges! } }),
  };
  await recordEvent(tx, { name: 'user.edited', ...about, data: { fields: others, ...ranked } });
}

/** Names are unique ignoring case, and spell nobody's id. Source: api-behaviours §12. */
async function assertFree(tx: Db, user_id: string, username: string): Promise<void> {
  assertAllowed(whyNotUsername(username));
  const [other] = await tx`
    select 1 from users where id <> ${user_id}
      and (username = ${username}::text::citext or lower(id) = ${username.toLowerCase()}) limit 1`;
  const name = { kind: 'user', name: username } as const;
  if (other || !(await takeName(tx, name, user_id))) throw new Refused('username_taken');
  assertAllowed(await whyNotLookAlike(tx, username, user_id));
}
