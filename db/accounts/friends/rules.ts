import type { RefusalCode } from '../../platform/errors.ts';

/** Maximum friends and requests, and maximum blocks, that one user makes. */
export const perUser = 1000;

/** The row of two users, as the one who acts sees it. */
export type Relation = 'none' | 'requested' | 'asked' | 'friends';

/** What the rule knows of the user who asks and the one who is asked. */
export interface Befriending {
  self: boolean;
  /** One of the two blocked the other. */
  blocked: boolean;
  /** `requested`: the one who asks asked before; `asked`: the other one asked, so that this accepts. */
  relation: Relation;
  /** The other one accepts new requests. */
  allows: boolean;
  /** Friends and requests of the one who asks. */
  count: number;
}

/** Asking for friendship, or accepting it: an incoming request is accepted also without room for more. Source: api-v3 §3.8. */
export function whyNotBefriend({ self, blocked, relation, allows, count }: Befriending): RefusalCode | null {
  if (self) return 'friend_self';
  if (blocked) return 'friend_blocked';
  if (relation === 'friends') return 'already_friends';
  if (relation === 'requested') return 'friend_requested';
  if (relation === 'asked') return null;
  if (!allows) return 'friend_requests_off';
  return count < perUser ? null : 'limit_reached';
}

/** Rejecting, cancelling and unfriending need a request or a friendship. Source: api-v3 §3.8. */
export const whyNotUnfriend = (relation: Relation): RefusalCode | null =>
  relation === 'none' ? 'not_found' : null;

/** Anybody but oneself can be blocked, staff too: it only keeps friend requests away. Source: api-v3 §3.8. */
export function whyNotBlock({ self, count }: { self: boolean; count: number }): RefusalCode | null {
  if (self) return 'block_self';
  return count < perUser ? null : 'limit_reached';
}
