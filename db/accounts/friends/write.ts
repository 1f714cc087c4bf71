import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { tellPresence, tellStatuses } from '../presence/presence.ts';
import { perUser, type Relation, whyNotBefriend, whyNotBlock, whyNotUnfriend } from './rules.ts';

interface Pair {
  /** Whether the other one accepts new requests. */
  allows: boolean;
  blocked: boolean;
  relation: Relation;
  /** Friends and requests of the actor, and users the actor blocked. */
  friends: number;
  blocks: number;
}

/** Locks both users, so that what is between them changes once at a time. Refuses `not_found`. */
async function lockPair(tx: Db, me: string, other: string): Promise<Pair> {
  const rows = await tx<Array<{ id: string; allow_friend_requests: boolean }>>`
    select id, allow_friend_requests from users where id = any(${[me, other]}) order by id for no key update`;
  const found = rows.find(({ id }) => id === other);
  if (!found) throw new Refused('not_found', { id: other });
  const [row] = await tx<[Omit<Pair, 'allows'>]>`
    select coalesce((select case when accepted then 'friends' when user_id = ${me} then 'requested' else 'asked' end
        from friends where (user_id = ${me} and friend_id = ${other}) or (user_id = ${other} and friend_id = ${me})),
      'none') as relation,
      exists (select from blocks where (user_id = ${me} and blocked_id = ${other})
        or (user_id = ${other} and blocked_id = ${me})) as blocked,
      (select count(*) from friends where user_id = ${me} or friend_id = ${me}) as friends,
      (select count(*) from blocks where user_id = ${me}) as blocks`;
  return { ...row, allows: found.allow_friend_requests };
}

/**
 * Asks another user for friendship, or accepts their request. Refuses `not_found`, `friend_self`, `friend_blocked`,
 * `already_friends`, `friend_requested`, `friend_requests_off`, `limit_reached`. Source: api-v3 §3.8.
 */
export async function befriend(tx: Db, actor: Actor, other: string, now: Date): Promise<void> {
  const me = actor.user_id;
  const { relation, blocked, allows, friends: count } = await lockPair(tx, me, other);
  const self = me === other;
  assertAllowed(whyNotBefriend({ self, blocked, relation, allows, count }), { limit: perUser });
  if (relation === 'asked')
    await tx`update friends set accepted = true where user_id = ${other} and friend_id = ${me}`;
  else await tx`insert into friends ${tx({ user_id: me, friend_id: other, created: now })}`;
  if (relation === 'asked') await tellStatuses(tx, [me, other], now);
  else await tellPresence(tx, { type: 'friend_request', from: me, to: other });
  await record(tx, actor, other, relation === 'asked' ? 'accepted' : 'requested');
}

/** Rejects or cancels a request, or ends a friendship. Refuses `not_found`. Source: api-v3 §3.8. */
export async function unfriend(tx: Db, actor: Actor, other: string): Promise<void> {
  const { relation } = await lockPair(tx, actor.user_id, other);
  assertAllowed(whyNotUnfriend(relation));
  await removePair(tx, actor.user_id, other);
  await record(tx, actor, other, 'removed');
}

/**
 * Blocks another user, which ends friendship, requests and follows between them; again it does nothing. Refuses `not_found`, `block_self`,
 * `limit_reached`. Source: api-v3 §3.8.
 */
export async function block(tx: Db, actor: Actor, other: string, now: Date): Promise<void> {
  const me = actor.user_id;
  const { relation, blocks: count } = await lockPair(tx, me, other);
  const [known] = await tx`select 1 from blocks where user_id = ${me} and blocked_id = ${other}`;
  if (known) return;
  assertAllowed(whyNotBlock({ self: me === other, count }), { limit: perUser });
  await tx`insert into blocks ${tx({ user_id: me, blocked_id: other, created: now })}`;
  if (relation !== 'none') await removePair(tx, me, other);
  await tx`
    delete from user_follows where (user_id = ${me} and followed_id = ${other})
      or (user_id = ${other} and followed_id = ${me})`;
  await record(tx, actor, other, 'blocked');
}

/** Ends a block; without one it does nothing. Source: api-v3 §3.8. */
export async function unblock(tx: Db, actor: Actor, other: string): Promise<void> {
  const gone = await tx`
    delete from blocks where user_id = ${actor.user_id} and blocked_id = ${other} returning blocked_id`;
  if (gone.length > 0) await record(tx, actor, other, 'unblocked');
}

async function removePair(tx: Db, me: string, other: string): Promise<void> {
  await tx`
    delete from friends where (user_id = ${me} and friend_id = ${other})
      or (user_id = ${other} and friend_id = ${me})`;
  await tellPresence(tx, { type: 'friend_request_rejected', from: me, to: other });
}

const record = async (
  tx: Db,
  { user_id: actor_id }: Actor,
  user_id: string,
  change: 'requested' | 'accepted' | 'removed' | 'blocked' | 'unblocked',
): Promise<void> => await recordEvent(tx, { name: 'user.related', actor_id, user_id, data: { change } });
