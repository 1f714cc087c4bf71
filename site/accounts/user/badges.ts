import type { MessageKey } from '#content/messages.ts';
import type { User } from '#db/platform/people/shape.ts';

/** The badges in display order. Source: screens §A.4. */
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

/** The bits of `badges` that have a visible badge. Source: api-v2 §2.3 (badges bits). */
const bits = { plus: 1, early_modpacks: 2, early_resourcepacks: 4, early_plugins: 8, alpha: 16 } as const;
const early = bits.early_modpacks | bits.early_resourcepacks | bits.early_plugins;

/** Total downloads of their projects that give the club badge. */
const club = 10_000_000;
const alpha_ended = Date.parse('2020-11-30T00:00:00Z');
const beta_ended = Date.parse('2022-02-27T00:00:00Z');

type Person = Pick<User, 'role' | 'badges' | 'created'> & { downloads: number };

const joinedBefore = ({ created }: Person, end: number): boolean => Date.parse(created) < end;

/** When a user has each badge. An alpha tester is not listed as a beta tester too. Source: screens §A.4. */
const has: Readonly<Record<Badge, (person: Person) => boolean>> = {
  staff: ({ role }) => role === 'admin',
  moderator: ({ role }) => role === 'moderator',
  plus: (person) => (person.badges & bits.plus) !== 0,
  club: ({ downloads }) => downloads >= club,
  early: (person) => (person.badges & early) !== 0,
  alpha: (person) => (person.badges & bits.alpha) !== 0 || joinedBefore(person, alpha_ended),
  beta: (person) => joinedBefore(person, beta_ended) && !has.alpha(person),
};

/** A user's badges; `downloads`: the total of all their projects. */
export const badgesOf = (user: Omit<Person, 'downloads'>, downloads: number): Badge[] =>
  badges.filter((badge) => has[badge]({ ...user, downloads }));
