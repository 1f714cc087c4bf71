import { describe, expect, it } from 'vitest';
import { perUser, type Relation, whyNotBefriend, whyNotBlock, whyNotUnfriend } from './rules.ts';

const relations: readonly Relation[] = ['none', 'requested', 'asked', 'friends'];
const known: Record<Relation, string | null> = {
  none: null,
  requested: 'friend_requested',
  asked: null,
  friends: 'already_friends',
};

describe.each(relations)('with the relation %s', (relation) => {
  const given = { self: false, blocked: false, relation, allows: true, count: 0 };

  it('a request is refused for what stands between the two', () => {
    expect(whyNotBefriend(given)).toBe(known[relation]);
    expect(whyNotBefriend({ ...given, allows: false })).toBe(
      relation === 'none' ? 'friend_requests_off' : known[relation],
    );
    expect(whyNotBefriend({ ...given, count: perUser })).toBe(
      relation === 'none' ? 'limit_reached' : known[relation],
    );
  });
  it('nobody befriends themselves, or across a block', () => {
    expect(whyNotBefriend({ ...given, self: true, blocked: true })).toBe('friend_self');
    expect(whyNotBefriend({ ...given, blocked: true })).toBe('friend_blocked');
  });
  it('it ends when there is one', () => {
    expect(whyNotUnfriend(relation)).toBe(relation === 'none' ? 'not_found' : null);
  });
});

it('blocks others, up to a limit', () => {
  expect(whyNotBlock({ self: true, count: 0 })).toBe('block_self');
  expect(whyNotBlock({ self: false, count: perUser - 1 })).toBeNull();
  expect(whyNotBlock({ self: false, count: perUser })).toBe('limit_reached');
});
