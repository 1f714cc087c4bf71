import { beforeAll, describe, expect, test } from 'vitest';
import { editUser } from '../../accounts/account/edit.ts';
import { releaseName } from '../../accounts/account/release-name.ts';
import { removeUser } from '../../accounts/account/remove.ts';
import { claimSlug as claimOrganization } from '../../catalogue/organizations/slugs.ts';
import { removeOrganization } from '../../catalogue/organizations/write.ts';
import { claimSlug } from '../../catalogue/projects/slugs.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { whyNotNameTaken } from '../people/write.ts';
import type { KeptKind } from './kept.ts';
import { keptNames } from './list.ts';
import { daysLeft } from './rules.ts';

const database = testDatabase();
const now = new Date();
let other: build.BuiltUser;
let moderator: build.BuiltUser;
beforeAll(async () => {
  other = await build.user(database.sql);
  moderator = await build.user(database.sql, { role: 'moderator' });
});

const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const release = (kind: KeptKind, name: string, by = moderator, given = {}) =>
  code(
    database.sql.begin((tx) =>
      releaseName(
        tx,
        build.actorFor(by, { role: 'moderator', ...given }),
        { kind, name, reason: 'Its owner asked for it' },
        now,
      ),
    ),
  );

describe('the slug of a project', () => {
  const claim = (id: string, slug: string) => code(database.sql.begin((tx) => claimSlug(tx, id, slug)));
  const rename = (id: string, slug: string) =>
    database.sql`update projects set slug = ${slug} where id = ${id}`;

  test('that was public stays with it, which may take it back, until staff release it', async () => {
    const { sql } = database;
    const approved = { status: 'approved', approved: now, slug: 'popular-lib-x' };
    const { id } = await build.project(sql, approved);
    const next = await build.project(sql);
    await rename(id, 'popular-lib-x-renamed');
    expect(await claim(next.id, 'popular-lib-x')).toBe('project_slug_taken');
    expect(await claim(id, 'popular-lib-x')).toBe('done');
    await rename(id, 'popular-lib-x');
    await rename(id, 'popular-lib-y');
    expect(await claim(next.id, 'popular-lib-x')).toBe('project_slug_taken');
    expect(await release('project', 'popular-lib-x', other, { role: 'developer' })).toBe('moderators_only');
    expect(await release('project', 'popular-lib-x', moderator, { proved: '2020-01-01T00:00:00Z' })).toBe(
      'proof_required',
    );
    expect(await release('project', 'Popular-Lib-X')).toBe('done');
    expect(await claim(next.id, 'popular-lib-x')).toBe('done');
    const [event] = await sql`select data, actor_id from events where name = 'catalogue.name_released'`;
    expect(event).toMatchObject({ actor_id: moderator.id, data: { kind: 'project', name: 'Popular-Lib-X' } });
  });

  test('that never was public is free at once, and that of a deleted project is not', async () => {
    const { sql } = database;
    const draft = await build.project(sql, { status: 'draft', slug: 'never-public' });
    const next = await build.project(sql);
    await rename(draft.id, 'never-public-2');
    expect(await claim(next.id, 'never-public')).toBe('done');
    const gone = await build.project(sql, { status: 'approved', approved: now, slug: 'gone-lib' });
    await sql`delete from projects where id = ${gone.id}`;
    expect(await claim(next.id, 'gone-lib')).toBe('project_slug_taken');
  });
});

describe('a user name', () => {
  const free = async (username: string) => await whyNotNameTaken(database.sql, { username, email: null });

  test('stays with its account, in any case, and is there when it comes back', async () => {
    const { sql } = database;
    const person = await build.user(sql, { username: 'Mirelle-of-old' });
    const actor = build.actorFor(person);
    const rename = (who: build.BuiltUser, username: string) =>
      code(
        sql.begin((tx) => editUser(tx, build.actorFor(who), who.id, { username, badges: undefined }, now)),
      );
    expect(await rename(person, 'Mirelle-of-new')).toBe('done');
    expect(await free('mirelle-OF-old')).toBe('username_taken');
    expect(await rename(other, 'mirelle-of-old')).toBe('username_taken');
    expect(await rename(person, 'mirelle-of-old')).toBe('done');
    expect(actor.user_id).toBe(person.id);
  });

  test('of a deleted account is kept as a hash, and of one that was never verified is free', async () => {
    const { sql } = database;
    const gone = await build.user(sql, { username: 'gone-for-good' });
    await sql.begin((tx) => removeUser(tx, build.actorFor(gone), gone.id, now));
    expect(await free('gone-for-good')).toBe('username_taken');
    const [kept] = await sql`select name, owner_id from kept_names where kind = 'user' and owner_id is null`;
    expect(kept).toMatchObject({ name: expect.stringMatching(/^[\da-f]{64}$/), owner_id: null });
    const unproven = await build.user(sql, { username: 'nobody-knows', email_verified: false });
    await sql.begin((tx) => removeUser(tx, build.actorFor(unproven), unproven.id, now));
    expect(await free('nobody-knows')).toBeNull();
  });
});

test('the name of an organization that had a public project stays its own', async () => {
  const { sql } = database;
  const made = await build.organization(sql, { slug: 'public-guild' });
  await build.project(sql, { organization: made, status: 'approved', approved: now });
  const empty = await build.organization(sql, { slug: 'empty-guild' });
  for (const { id, owner } of [made, empty])
    await sql.begin((tx) => removeOrganization(tx, build.actorFor(owner), id));
  const claim = (slug: string) => code(sql.begin((tx) => claimOrganization(tx, 'AAAAAAAA', slug)));
  expect([await claim('public-guild'), await claim('empty-guild')]).toEqual([
    'organization_slug_taken',
    'done',
  ]);
});

describe('the list of staff', () => {
  const listed = async (text: string, kind: KeptKind | null = null) =>
    (await keptNames(database.sql, { kind, text, limit: 20, offset: 0 })).names.map(
      ({ name, owner, kind: noun }) => [noun, name, owner],
    );

  test('finds a name as it was, and the names of who has another one now', async () => {
    const { sql } = database;
    const person = await build.user(sql, { username: 'listed-of-old' });
    await sql`update users set username = 'listed-of-new' where id = ${person.id}`;
    expect(await listed('listed-of-old')).toEqual([['user', 'listed-of-old', 'listed-of-new']]);
    expect(await listed('listed-of-new')).toEqual([['user', null, 'listed-of-new']]);
    expect(await listed('listed-of-old', 'project')).toEqual([]);
    expect(await listed('never-there')).toEqual([]);
    await sql`delete from users where id = ${person.id}`;
    expect(await listed('listed-of-old')).toEqual([['user', 'listed-of-old', null]]);
    const kept = await sql`select 1 from kept_names where owner_id = ${person.id}`;
    expect(kept).toEqual([]);
  });

  test('names what still leads to its project, page by page', async () => {
    const { sql } = database;
    const { id } = await build.project(sql, { slug: 'led-lib' });
    await sql`update projects set slug = 'led-lib-2' where id = ${id}`;
    await sql`insert into old_slugs (slug, project_id) values ('led-lib', ${id})`;
    expect(await listed('led-lib-2')).toEqual([['project', 'led-lib', 'led-lib-2']]);
    const { names, total } = await keptNames(sql, { kind: null, text: '', limit: 1, offset: 1 });
    expect([names.length, total]).toEqual([1, expect.any(Number)]);
    expect(total).toBeGreaterThan(2);
  });

  test('counts the days that are left of 90', () => {
    const at = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
    expect([0, 1, 89.5, 90, 400].map((days) => daysLeft(at(days), now))).toEqual([90, 89, 1, 0, 0]);
  });
});
