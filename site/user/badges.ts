import type { MessageKey } from '#content/messages.ts';
import type { User } from '#db/people/shape.ts';

/** The badges in the order they are shown. Source: screens §A.4. */
const badges = ['staff', 'moderator', 'plus', 'club', 'early', 'alpha', 'beta'] as const;
export type Badge = (typeof badges)[number];

interface BadgeLabels {
  name: MessageKey;
  why: MessageKey;
}

export const badgeLabels: Readonly<Record<Badge, BadgeLabels>> = {
  staff: { name: 'user.staff', why: 'user.staff_why' },
  moderator: { name: 'user.moderator', why: 'user.moderator_why' },
  plus: { name: 'user.plus', why: 'user.plus_why' },
  club: { name: 'user.club', why: 'user.club_why' },
  early: { name: 'user.early', why: 'user.early_why' },
  alpha: { name: 'user.alpha', why: 'user.alpha_why' },
  beta: { name: 'user.beta', why: 'user.beta_why' },
};

/** What the bits of `badges` say that are shown: the others have no badge. Source: api-v2 §2.3 (badges bits). */
const bits = { plus: 1, early_modpacks: 2, early_resourcepacks: 4, early_plugins: 8, alpha: 16 } as const;
const early = bits.early_modpacks | bits.early_resourcepacks | bits.early_plugins;

/** Downloads of all their projects together that bring people into the club. */
const club = 10_000_000;
const alpha_ended = Date.parse('2020-11-30T00:00:00Z');
const beta_ended = Date.parse('2022-02-27T00:00:00Z');

type Person = Pick<User, 'role' | 'badges' | 'created'> & { downloads: number };

const joinedBefore = ({ created }: Person, end: number): boolean => Date.parse(created) < end;

/** When somebody has each badge. Whoever was there before all is no mere beta tester. Source: screens §A.4. */
const has: Readonly<Record<Badge, (person: Person) => boolean>> = {
  staff: ({ role }) => role === 'admin',
  moderator: ({ role }) => role === 'moderator',
  plus: (person) => (person.badges & bits.plus) !== 0,
  club: ({ downloads }) => downloads >= club,
  early: (person) => (person.badges & early) !== 0,
  alpha: (person) => (person.badges & bits.alpha) !== 0 || joinedBefore(person, alpha_ended),
  beta: (person) => joinedBefore(person, beta_ended) && !has.alpha(person),
};

/** What a person is or has done, each from facts of the record; `downloads`: of all their projects together. */
export const badgesOf = (user: Omit<Person, 'downloads'>, downloads: number): Badge[] =>
  badges.filter((badge) => has[badge]({ ...user, downloads }));
