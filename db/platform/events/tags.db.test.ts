import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import type { Event } from './read.ts';
import { tagsOf } from './tags.ts';

const database = testDatabase();
let client: pg.Client;
beforeAll(async () => {
  const { sql } = database;
  await sql`insert into users (id, username) values ('User0001', 'Ann')`;
  await sql`insert into teams (id) values ('Team0001'), ('Team0002')`;
  await sql`insert into organizations (id, slug, name, team_id) values ('Orga0001', 'Guild', 'Guild', 'Team0002')`;
  await sql`insert into team_members (team_id, user_id) values ('Team0001', 'User0001')`;
  for (const [id, team, organization] of [
    ['Proj0001', 'Team0001', null],
    ['Proj0002', 'Team0002', 'Orga0001'],
  ] as const) {
    await sql`
      insert into projects (id, slug, team, organization, title, description, status, license_id, thread_id)
      values (${id}, ${`Slug-${id}`}, ${team}, ${organization}, 't', 'd', 'approved', 'MIT', 'thread01')`;
  }
  await sql`insert into old_slugs (slug, project_id) values ('before', 'Proj0001')`;
  client = new pg.Client({ host: database.address, database: database.name, user: 'app' });
  await client.connect();
});
afterAll(() => client.end());

const one = ['project:before', 'project:proj0001', 'project:slug-proj0001'];
const two = ['project:proj0002', 'project:slug-proj0002'];

test.each([
  [
    'a project by its id and every address it has or had',
    { name: 'project.edited', project_id: 'Proj0001' },
    one,
  ],
  [
    'a project with the version',
    { name: 'version.published', project_id: 'Proj0002', version_id: 'Vers0001' },
    [...two, 'version:vers0001'],
  ],
  [
    'a project that is gone by what the event kept',
    { name: 'project.deleted', project_id: 'Gone0001', data: { slug: 'Left' } },
    ['project:gone0001', 'project:left'],
  ],
  [
    'a person and their projects',
    { name: 'user.renamed', user_id: 'User0001', data: { old_username: 'Anna' } },
    [...one, 'user:ann', 'user:anna', 'user:user0001'],
  ],
  ['the projects of a team', { name: 'team.changed', team_id: 'Team0001' }, one],
  [
    'an organization and its projects',
    { name: 'organization.edited', organization_id: 'Orga0001' },
    ['organization:guild', 'organization:orga0001', ...two],
  ],
  [
    'an organization by its team',
    { name: 'team.changed', team_id: 'Team0002' },
    ['organization:guild', 'organization:orga0001', ...two],
  ],
  [
    'projects that were loaded',
    { name: 'catalogue.loaded', data: { project_ids: ['New00001'] } },
    ['project:new00001'],
  ],
  [
    'a collection and its owner, but none of the owner’s projects',
    { name: 'collection.edited', collection_id: 'Coll0001', data: { owner_id: 'User0001' } },
    ['collection:coll0001', 'user:user0001'],
  ],
  [
    'nothing by what happens to servers and money',
    {
      name: 'charge.succeeded',
      user_id: 'User0001',
      data: { charge_id: 'Chrg0001', amount_minor: 500, currency: 'USD' },
    },
    [],
  ],
  ['nothing by counting downloads', { name: 'project.counted', data: { project_ids: ['Proj0001'] } }, []],
])('%s', async (_name, event, tags) => {
  expect((await tagsOf(client, [{ data: {}, ...event } as unknown as Event])).sort()).toEqual(
    [...tags].sort(),
  );
});
