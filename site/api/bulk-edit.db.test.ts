import { beforeEach, describe, expect, it } from 'vitest';
import { editProjects } from '#db/catalogue/publishing/edit-projects.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';
import { allOf, type Stage, stage, statusesOf } from '../testing/projects.ts';

const database = testDatabase();
const api = testApi(database);
let project: Stage['project'];
let as: Stage['as'];
beforeEach(async () => {
  ({ project, as } = await stage(database, { categories: ['magic', 'food'] }));
});

const patch = async (json: unknown, { version = 2, ids = [project.id], caller = as('editor') } = {}) =>
  await api.call('PATCH', `/v${version}/projects?ids=${encodeURIComponent(JSON.stringify(ids))}`, {
    ...caller,
    json,
  });
const stored = async (id = project.id) => {
  const [row] = await database.sql`
    select categories, additional_categories, issues_url, wiki_url, site_url, donation_urls from projects
    where id = ${id}`;
  return row!;
};

describe('editing several projects', () => {
  it.each([2, 3])('v%i needs a place in the team with EDIT_DETAILS', async (version) => {
    const found = await statusesOf((kind) => patch({ add_categories: [] }, { version, caller: as(kind) }));
    expect(found).toEqual({ ...allOf(401), ...allOf(204, ['editor', 'moderator', 'admin']) });
  });

  it.each([
    [{ categories: ['mobs', 'mobs', 'nonsense'] }, ['mobs']],
    [{ add_categories: ['mobs', 'food', 'combat'] }, ['magic', 'food', 'mobs']],
    [{ remove_categories: ['magic', 'combat'] }, ['food']],
    [
      { categories: ['mobs', 'quests'], remove_categories: ['mobs'], add_categories: ['magic'] },
      ['quests', 'magic'],
    ],
    [{ categories: null, add_categories: null }, ['magic', 'food']],
    [{ categories: [] }, []],
  ])('sets, removes and adds categories: %j', async (json, expected) => {
    for (const version of [2, 3]) {
      await database.sql`update projects set categories = '{magic,food}' where id = ${project.id}`;
      expect((await patch(json, { version })).status).toBe(204);
      expect((await stored()).categories).toEqual(expected);
    }
  });

  it('changes links by field in v2 and by platform in v3', async () => {
    const url = 'https://example.test/';
    await patch({ issues_url: `${url}i`, wiki_url: `${url}w`, add_additional_categories: ['mobs'] });
    await patch({ donation_urls: [{ id: 'ko-fi', platform: 'Ko-fi', url }] });
    await patch({ add_donation_urls: [{ id: 'patreon', platform: 'Patreon', url }], issues_url: null });
    expect(await stored()).toMatchObject({
      additional_categories: ['mobs'],
      issues_url: null,
      wiki_url: `${url}w`,
      donation_urls: [
        { id: 'ko-fi', platform: 'Ko-fi', url },
        { id: 'patreon', platform: 'Patreon', url },
      ],
    });
    await patch({ remove_donation_urls: [{ id: 'ko-fi', platform: '' }] });
    await patch({ link_urls: { wiki: null, site: `${url}s`, github: url } }, { version: 3 });
    expect(await stored()).toMatchObject({
      wiki_url: null,
      site_url: `${url}s`,
      donation_urls: [{ id: 'patreon' }, { id: 'github' }],
    });
    await patch({ donation_urls: [] });
    expect((await stored()).donation_urls).toEqual([]);
  });

  it('changes all or none', async () => {
    const foreign = await build.project(database.sql);
    const before = await stored();
    for (const [ids, status, code] of [
      [[project.id, foreign.id], 401, 'not_a_member'],
      [[project.id, '1nobody1'], 400, 'project_unknown'],
    ] as const) {
      const answer = await patch(
        { categories: ['mobs'], issues_url: 'https://example.test/x' },
        { ids: [...ids] },
      );
      expect([answer.status, await answer.json()]).toMatchObject([status, { details: { code } }]);
    }
    expect(await stored()).toEqual(before);
    expect(await database.sql`select 1 from events where project_id = ${project.id}`).toHaveLength(0);
  });

  it('records one event for each project, in as many queries for 20 as for 1', async () => {
    const ids = [project.id];
    for (let n = 0; n < 19; n++) ids.push((await build.project(database.sql)).id);
    const actor = build.actorFor(project.owner, { role: 'admin' });
    const none = { set: null, remove: null, add: null };
    const counted = async (some: string[]) => {
      let calls = 0;
      await database.sql.begin(async (tx) => {
        const apply = (to: unknown, self: unknown, args: unknown[]) => {
          calls += 1;
          return Reflect.apply(to as () => unknown, self, args);
        };
        await editProjects(new Proxy(tx, { apply }) as Db, actor, some, {
          categories: { ...none, add: ['mobs'] },
          additional_categories: none,
          links: { site: 'https://example.test/' },
        });
      });
      return calls;
    };
    const one = await counted(ids.slice(0, 1));
    expect(one).toBeGreaterThan(4);
    expect(await counted(ids)).toBe(one);
    const events = await database.sql`
      select project_id, data from events where name = 'project.edited' and project_id = any(${ids}::text[])`;
    expect(events).toHaveLength(21);
    expect(events[0]!.data).toEqual({ fields: ['categories', 'site_url'] });
  });

  it.each<[number, unknown]>([
    [2, []],
    [2, { categories: ['a', 'b', 'c', 'd'] }],
    [2, { categories: 'magic' }],
    [2, { add_categories: [1] }],
    [2, { issues_url: 'http://example.test' }],
    [2, { issues_url: 'https://example.test/\0' }],
    [2, { donation_urls: [{ id: 'nobody', platform: 'x', url: 'https://example.test' }] }],
    [2, { remove_donation_urls: [{ id: 'nobody', platform: 'x' }] }],
    [3, { link_urls: { nobody: 'https://example.test' } }],
    [3, { link_urls: { wiki: 1 } }],
    [3, { link_urls: [] }],
  ])('v%i refuses %j', async (version, json) => {
    const before = await stored();
    expect((await patch(json, { version })).status).toBe(400);
    expect(await stored()).toEqual(before);
  });

  it.each([
    '',
    'ids=',
    'ids=x',
    'ids={}',
    'ids=["not an id"]',
    `ids=${JSON.stringify(Array(1001).fill('x'))}`,
  ])('?%s is 400', async (query) => {
    const answer = await api.call('PATCH', `/v2/projects?${query}`, { ...as('editor'), json: {} });
    expect(answer.status).toBe(400);
  });
});
