import { beforeAll, describe, expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { iconsOf, type ListOptions, listByOwner, totalsOfOwner } from './by-owner.ts';
import type { ProfileSort } from './profile-sorts.ts';

const database = testDatabase();
let owner: build.BuiltUser;
let guild: build.BuiltOrganization;

const all: ListOptions = { type: null, text: '', sort: 'downloads', offset: 0, limit: 20 };
const titles = async (
  given: Partial<ListOptions> = {},
  whose: Parameters<typeof listByOwner>[1] = { user_id: owner.id },
) => {
  const { total, projects } = await listByOwner(database, whose, { ...all, ...given });
  return [total, ...projects.map(({ title }) => title)];
};

beforeAll(async () => {
  const { sql } = database;
  owner = await build.user(sql);
  guild = await build.organization(sql, { owner, slug: 'the-guild', name: 'The Guild' });
  const made = (title: string, given: Parameters<typeof build.project>[1]) =>
    build.project(sql, { owner, title, ...given });
  await made('Crème 100% soft', {
    downloads: 30,
    followers: 1,
    approved: '2024-01-01T00:00:00Z',
    updated: '2024-06-03T00:00:00Z',
    project_types: ['mod', 'plugin'],
    loaders: ['fabric', 'paper'],
    description: 'Cows sleep in it',
    color: 0x336699,
  });
  await made('Low Sun', {
    downloads: 20,
    followers: 3,
    approved: '2024-03-01T00:00:00Z',
    updated: '2024-06-01T00:00:00Z',
    project_types: ['shader'],
    archived: true,
  });
  await made('Drystone', {
    downloads: 10,
    followers: 2,
    approved: '2024-02-01T00:00:00Z',
    updated: '2024-06-02T00:00:00Z',
    project_types: ['mod'],
  });
  for (const status of ['draft', 'private', 'unlisted', 'withheld', 'processing', 'rejected'])
    await made(`Hidden ${status}`, { status, downloads: 1000, project_types: ['mod'] });
  const joint = await build.project(sql, { title: 'Joint work', downloads: 5, project_types: ['mod'] });
  await build.member(sql, joint.team, owner, { accepted: true });
  const requested = await build.project(sql, { title: 'Only invited', downloads: 5 });
  await build.member(sql, requested.team, owner, { accepted: false });
  await build.project(sql, {
    organization: guild,
    title: 'Of the guild',
    downloads: 7,
    project_types: ['mod'],
  });
});

describe('totals of a user', () => {
  it("count the user's searchable projects, by type", async () => {
    expect(await totalsOfOwner(database.sql, { user_id: owner.id })).toEqual({
      projects: 4,
      downloads: 65,
      types: { mod: 3, plugin: 1, shader: 1 },
      color: 0x336699,
    });
  });

  it('are zero for a user without projects', async () => {
    const { id } = await build.user(database.sql);
    const nothing = { projects: 0, downloads: 0, types: {}, color: null };
    expect(await totalsOfOwner(database.sql, { user_id: id })).toEqual(nothing);
    expect(await listByOwner(database, { user_id: id }, all)).toEqual({ total: 0, projects: [] });
  });
});

describe('the project list of a user', () => {
  it.each<[ProfileSort, string[]]>([
    ['downloads', ['Crème 100% soft', 'Low Sun', 'Drystone']],
    ['follows', ['Low Sun', 'Drystone', 'Crème 100% soft']],
    ['newest', ['Low Sun', 'Drystone', 'Crème 100% soft']],
    ['updated', ['Crème 100% soft', 'Drystone', 'Low Sun']],
  ])('is sorted by %s', async (sort, requested) => {
    const [, ...found] = await titles({ sort });
    expect(found.filter((title) => title !== 'Joint work')).toEqual(requested);
  });

  it('is filtered by type', async () => {
    expect(await titles({ type: 'shader' })).toEqual([1, 'Low Sun']);
    expect(await titles({ type: 'plugin' })).toEqual([1, 'Crème 100% soft']);
    expect(await titles({ type: 'modpack' })).toEqual([0]);
  });

  it.each([
    ['CREME', [1, 'Crème 100% soft']],
    ['soft  cows', [1, 'Crème 100% soft']],
    ['stone', [1, 'Drystone']],
    ['stone sun', [0]],
    ['100%', [1, 'Crème 100% soft']],
    ['%', [1, 'Crème 100% soft']],
    ['_', [0]],
    ['\\', [0]],
    ['\0', [4, 'Crème 100% soft', 'Low Sun', 'Drystone', 'Joint work']],
  ])('is filtered by text: %j', async (text, requested) => {
    expect(await titles({ text })).toEqual(requested);
  });

  it('is paged, with the total even past the end', async () => {
    expect(await titles({ limit: 2 })).toEqual([4, 'Crème 100% soft', 'Low Sun']);
    expect(await titles({ limit: 2, offset: 2 })).toEqual([4, 'Drystone', 'Joint work']);
    expect(await titles({ limit: 2, offset: 40 })).toEqual([4]);
  });

  it('names the owner of each, with the type used in its URL', async () => {
    const { projects } = await listByOwner(database, { user_id: owner.id }, all);
    expect(projects[0]).toMatchObject({
      project_type: 'mod',
      loaders: ['fabric', 'paper'],
      icon_url: null,
      author: owner.username,
      organization: null,
    });
    expect(projects.find(({ title }) => title === 'Joint work')?.author).not.toBe(owner.username);
  });
});

it('of an organization has the projects it owns, and names the organization', async () => {
  const whose = { organization_id: guild.id };
  const figures = { projects: 1, downloads: 7, types: { mod: 1 } };
  expect(await totalsOfOwner(database.sql, whose)).toMatchObject(figures);
  const { total, projects } = await listByOwner(database, whose, all);
  expect(total).toBe(1);
  expect(projects[0]).toMatchObject({
    title: 'Of the guild',
    author: owner.username,
    organization: { slug: 'the-guild', name: 'The Guild' },
  });
});

it('shows the featured gallery image, else the first, else none', async () => {
  const { sql } = database;
  const painter = await build.user(sql);
  const { id } = await build.project(sql, { owner: painter });
  const displayed = async () =>
    (await listByOwner(database, { user_id: painter.id }, all)).projects.map(
      ({ picture_url }) => picture_url,
    );
  expect(await displayed()).toEqual([null]);
  for (const [ordering, featured] of [false, false, true].entries()) {
    const [key, raw_key] = [`data/x/${ordering}_350.webp`, `data/x/${ordering}.webp`];
    await sql`insert into gallery ${sql({ project_id: id, key, raw_key, ordering: 9 - ordering, featured })}`;
    if (ordering === 1) expect(await displayed()).toEqual([expect.stringMatching(/\/data\/x\/1_350\.webp$/)]);
  }
  expect(await displayed()).toEqual([expect.stringMatching(/\/data\/x\/2_350\.webp$/)]);
});

it('gives icons only for projects that have one', async () => {
  const { sql } = database;
  const [bare, drawn] = [
    await build.project(sql),
    await build.project(sql, { icon_key: 'data/x/icon.webp' }),
  ];
  const icons = await iconsOf(database, [bare.id, drawn.id]);
  expect([...icons.keys()]).toEqual([drawn.id]);
  expect(icons.get(drawn.id)).toMatch(/\/data\/x\/icon\.webp$/);
  expect(await iconsOf(database, [])).toEqual(new Map());
});
