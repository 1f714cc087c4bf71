import { describe, expect, it } from 'vitest';
import type { Actor, Role } from '../../platform/people/rules.ts';
import {
  perPerson,
  type Status,
  statuses,
  whyNotChangeCollection,
  whyNotCreateCollection,
  whyNotListCollection,
  whyNotMoveCollection,
  whyNotSeeCollection,
} from './rules.ts';

const actor = (user_id: string, role: Role = 'developer', email_verified = true): Actor => ({
  user_id,
  username: user_id,
  role,
  scopes: 'all',
  interactive: true,
  email_verified,
});
const owner = actor('Owner001');
const viewers = {
  visitor: null,
  stranger: actor('Another1'),
  owner,
  moderator: actor('Moder001', 'moderator'),
  admin: actor('Admin001', 'admin'),
};
type Who = keyof typeof viewers;
const whos = Object.keys(viewers) as Who[];
const outside: Who[] = ['visitor', 'stranger'];
const staff: Who[] = ['moderator', 'admin'];

/** Expected answers for outsiders: seeing, listing, changing; with a visible project and empty. Insiders may do all. */
const expected: Record<Status, [string | null, string | null, string | null]> = {
  listed: [null, null, 'not_yours'],
  unlisted: [null, 'not_found', 'not_yours'],
  private: ['not_found', 'not_found', 'not_found'],
  rejected: ['not_found', 'not_found', 'not_found'],
  unknown: ['not_found', 'not_found', 'not_found'],
};

describe.each(statuses)('a collection that is %s', (status) => {
  it.each(whos)('is visible to a %s as the table says', (who) => {
    const requested = (projects: number) => {
      const collection = { user: owner.user_id, status, projects };
      return [whyNotSeeCollection, whyNotListCollection, whyNotChangeCollection].map((why) =>
        why(collection, viewers[who]),
      );
    };
    const inside = !outside.includes(who);
    expect(requested(1)).toEqual(inside ? [null, null, null] : expected[status]);
    expect(requested(0)).toEqual(inside ? [null, null, null] : ['not_found', 'not_found', 'not_found']);
  });

  it.each(statuses)('can be made %s by its owner only between their own statuses, by staff always', (to) => {
    const own: Status[] = ['listed', 'unlisted', 'private'];
    const free = status === to || (own.includes(status) && own.includes(to));
    expect(whyNotMoveCollection(status, to, owner)).toBe(free ? null : 'moderators_only');
    for (const who of staff) expect(whyNotMoveCollection(status, to, viewers[who])).toBeNull();
  });
});

describe('creating another collection', () => {
  it.each([
    ['a person with none', owner, 0, null],
    ['a person with one less than the limit', owner, perPerson - 1, null],
    ['a person at the limit', owner, perPerson, 'limit_reached'],
    ['a moderator at the limit', viewers.moderator, perPerson, 'limit_reached'],
    ['an admin beyond it', viewers.admin, perPerson + 5, null],
    ['a person without a verified address', actor('New00001', 'developer', false), 0, 'email_unverified'],
  ] as const)('%s', (_who, one, owned, code) => {
    expect(whyNotCreateCollection(owned, one)).toBe(code);
  });
});
