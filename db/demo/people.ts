import { allOrganizationPermissions, allPermissions, projectBits } from '../catalogue/teams/rules.ts';
import { hashPassword } from '../platform/people/password.ts';
import type { Db } from '../platform/postgres/sql.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { type PaletteName, paletteNames, tint } from './art/palettes.ts';
import { icon } from './art/pictures.ts';
import { type Random, random } from './art/random.ts';
import { organizations, people } from './catalogue.ts';
import { collections } from './collections.ts';
import { each } from './each.ts';
import { demoId } from './ids.ts';
import { storeFace, storeIcon } from './images.ts';
import type { PlannedProject } from './plan.ts';
import { insert } from './rows.ts';

const day = 86_400_000;
/** Few joined long ago, most in the last two years. */
const eldest_days = 2600;
/** Bits of `users.badges`: plus, early adopter with modpacks, resource packs, plugins. Source: api-v2 §2.3. */
const bits = [1, 2, 4, 8];

/** One user in six has a badge without another reason. */
const badgesOf = (r: Random): number => (r.next() < 1 / 6 ? r.pick(bits) : 0);

/** Rows of all users; only `accounts` have a password. Hashed and drawn before the transaction. */
export async function preparePeople(
  storage: Storage,
  plans: PlannedProject[],
  { at, accounts, password }: { at: number; accounts: readonly string[]; password: string },
) {
  const rows = new Map<string, Record<string, unknown>>();
  await each(people, async ({ username, bio, role = 'developer' }) => {
    const face = await storeFace(storage, username);
    const r = random(`person:${username}`);
    const own = plans.filter(({ owner }) => owner === username);
    const joined = Math.max(
      40 + r.next() ** 3 * eldest_days,
      ...own.map(({ versions }) => versions[0]!.days_ago + r.range(5, 300)),
      ...collections.flatMap(({ owner, days_ago }) => (owner === username ? days_ago + 5 : [])),
    );
    rows.set(username, {
      id: demoId(`user ${username}`),
      username,
      email: `${username}@demo.invalid`,
      email_verified: true,
      password_hash: accounts.includes(username) ? await hashPassword(password) : null,
      bio,
      role,
      // only this machine reaches a demo, and everybody knows the password of its staff
      staff_since: role === 'developer' ? null : 'infinity',
      badges: badgesOf(r),
      avatar_key: face.key,
      raw_avatar_key: face.raw_key,
      created: new Date(at - joined * day),
    });
  });
  return people.map(({ username }) => rows.get(username)!);
}

/** The columns of an organization's logo, which is drawn and stored. */
export async function organizationMark(storage: Storage, { id, slug }: { id: string; slug: string }) {
  const palette: PaletteName = random(`mark:${slug}`).pick(paletteNames);
  const svg = icon(`organization ${slug}`, { motif: 'cairn', palette });
  const { key: icon_key, raw_key: raw_icon_key } = await storeIcon(storage, `data/${id}`, svg);
  return { icon_key, raw_icon_key, color: tint(palette) };
}

/** Rows of the organizations, with their logos drawn. */
export async function prepareOrganizations(storage: Storage, at: number) {
  const rows: Record<string, unknown>[] = [];
  for (const { slug, name, description } of organizations) {
    const id = demoId(`organization ${slug}`);
    rows.push({
      ...{ id, slug, name, description },
      ...(await organizationMark(storage, { id, slug })),
      team_id: demoId(`team of ${slug}`),
      created: new Date(at - 700 * day),
    });
  }
  return rows;
}

/**
 * Teams and their members: of organizations, and of projects owned by a user; an organization's projects have empty
 * teams.
 */
export async function insertTeams(tx: Db, plans: PlannedProject[]): Promise<void> {
  const ofOrganizations = organizations.map(({ slug }) => ({ id: demoId(`team of ${slug}`) }));
  await insert(tx, 'teams', [
    ...ofOrganizations,
    ...plans.map(({ slug }) => ({ id: demoId(`team ${slug}`) })),
  ]);
  const members = [
    ...organizations.flatMap(({ slug, owner, members }) =>
      [{ username: owner, role: 'Founder' }, ...members].map(({ username, role }, ordering) => ({
        team_id: demoId(`team of ${slug}`),
        user_id: demoId(`user ${username}`),
        role,
        is_owner: username === owner,
        permissions: username === owner ? allPermissions : editing,
        organization_permissions: username === owner ? allOrganizationPermissions : 0,
        accepted: true,
        payouts_split: 100,
        ordering,
      })),
    ),
    ...plans.filter(({ organization }) => !organization).flatMap((plan) => membersOf(plan)),
  ];
  await insert(tx, 'team_members', members);
}

const editing = projectBits.UPLOAD_VERSION | projectBits.EDIT_DETAILS | projectBits.EDIT_BODY;
const roles = ['Artist', 'Translator', 'Maintainer', 'Testing', 'Sound', 'Writing'];

/** The owner, and in one project of four up to three others. */
function membersOf({ slug, owner }: PlannedProject) {
  const r = random(`team:${slug}`);
  const others = people.slice(4).filter(({ username }) => username !== owner);
  const count = r.next() < 0.25 ? r.int(1, 3) : 0;
  const chosen = new Set(Array.from({ length: count }, () => r.pick(others).username));
  return [owner, ...chosen].map((username, ordering) => ({
    team_id: demoId(`team ${slug}`),
    user_id: demoId(`user ${username}`),
    role: username === owner ? 'Member' : r.pick(roles),
    is_owner: username === owner,
    permissions: username === owner ? allPermissions : editing,
    organization_permissions: null as number | null,
    accepted: true,
    payouts_split: username === owner ? 100 : 0,
    ordering,
  }));
}

/** Every user follows a few projects, mostly popular ones, and a few of the people behind them. */
export async function insertFollows(tx: Db, plans: PlannedProject[], at: number): Promise<void> {
  const known = plans
    .filter(({ status, followers }) => status === 'approved' && followers > people.length)
    .sort((a, b) => b.followers - a.followers);
  const rows = people.flatMap(({ username }) => {
    const r = random(`follows:${username}`);
    const chosen = new Set(
      Array.from({ length: r.int(3, 24) }, () => known[Math.floor(r.next() ** 1.7 * known.length)]!),
    );
    return [...chosen].map(({ id, versions }) => ({
      user_id: demoId(`user ${username}`),
      project_id: id,
      created: new Date(at - r.range(0.1, 1) * Math.min(300, versions[0]!.days_ago) * day),
    }));
  });
  await insert(tx, 'follows', rows);
  const makers = [...new Set(known.map(({ owner }) => owner))];
  const followed = people.flatMap(({ username }) => {
    const r = random(`people:${username}`);
    const chosen = Array.from(
      { length: r.int(2, 9) },
      () => makers[Math.floor(r.next() ** 1.7 * makers.length)]!,
    );
    return [...new Set(chosen)].flatMap((name) =>
      name === username
        ? []
        : {
            user_id: demoId(`user ${username}`),
            followed_id: demoId(`user ${name}`),
            created: new Date(at - r.range(0.1, 1) * 30 * day),
          },
    );
  });
  await insert(tx, 'user_follows', followed);
}
