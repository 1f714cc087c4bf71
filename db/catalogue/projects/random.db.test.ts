import { expect, it } from 'vitest';
import { siteTotals } from '../../discovery/statistics/read.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { randomTeasers } from './random.ts';

const database = testDatabase();

it('gives different searchable projects with an icon, from any starting point', async () => {
  const { sql } = database;
  const displayed = [];
  for (const title of ['Alder', 'Birch', 'Cedar'])
    displayed.push(
      await build.project(sql, {
        title,
        icon_key: 'data/x/icon.webp',
        loaders: ['fabric'],
        project_types: ['mod'],
      }),
    );
  await build.project(sql, { title: 'Bare' });
  await build.project(sql, { title: 'Hidden', status: 'private', icon_key: 'data/x/icon.webp' });
  const ids = displayed.map(({ id }) => id).sort();
  for (const from of ['0', ids[1]!, 'zzzzzzzz']) {
    const met = await randomTeasers(database, 10, from);
    expect(met.map(({ id }) => id).sort()).toEqual(ids);
    expect(met[0]).toMatchObject({ project_type: 'mod', loaders: ['fabric'] });
    expect(met[0]!.icon_url).toMatch(/\/data\/x\/icon\.webp$/);
  }
  expect((await randomTeasers(database, 2, ids[2]!)).map(({ id }) => id)).toEqual([ids[2], ids[0]]);
});

it('totals count searchable projects and their members', async () => {
  const { sql } = database;
  const before = await siteTotals(sql);
  const owner = await build.user(sql);
  const other = await build.user(sql);
  const requested = await build.user(sql);
  const project = await build.project(sql, { owner, downloads: 40 });
  await build.member(sql, project.team, other, { accepted: true });
  await build.member(sql, project.team, requested, { accepted: false });
  const guild = await build.organization(sql, { owner: await build.user(sql) });
  await build.project(sql, { organization: guild, downloads: 2 });
  await build.project(sql, { status: 'draft', downloads: 1000 });
  expect(await siteTotals(sql)).toEqual({
    projects: before.projects + 2,
    downloads: before.downloads + 42,
    people: before.people + 3,
  });
});
