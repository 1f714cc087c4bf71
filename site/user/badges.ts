import type { MessageKey } from '#content/messages.ts';
import type { User } from '#db/people/shape.ts';

export type Badge = 'staff' | 'moderator' | 'club' | 'alpha' | 'beta';

interface Words {
  name: MessageKey;
  why: MessageKey;
}

export const badgeWords: Readonly<Record<Badge, Words>> = {
  staff: { name: 'user.staff', why: 'user.staff_why' },
  moderator: { name: 'user.moderator', why: 'user.moderator_why' },
  club: { name: 'user.club', why: 'user.club_why' },
  alpha: { name: 'user.alpha', why: 'user.alpha_why' },
  beta: { name: 'user.beta', why: 'user.beta_why' },
};

/** Downloads of all their projects together that bring people into the club. */
const club = 10_000_000;
const alpha_ended = Date.parse('2020-11-30T00:00:00Z');
const beta_ended = Date.parse('2022-02-27T00:00:00Z');

/** What a person is or has done, each from facts of the record. Whoever came before all is no mere beta tester. Source: screens A.4. */
export function badgesOf({ role, created }: Pick<User, 'role' | 'created'>, downloads: number): Badge[] {
  const joined = Date.parse(created);
  const badges: Array<[Badge, boolean]> = [
    ['staff', role === 'admin'],
    ['moderator', role === 'moderator'],
    ['club', downloads >= club],
    ['alpha', joined < alpha_ended],
    ['beta', joined >= alpha_ended && joined < beta_ended],
  ];
  return badges.filter(([, has]) => has).map(([badge]) => badge);
}
