import { beforeAll, expect, test } from 'vitest';
import { acquireLock } from '../../catalogue/review-locks/write.ts';
import { seedBulk } from '../../demo/bulk.ts';
import * as build from '../../testing/builders/build.ts';
import { countingQueries } from '../../testing/count-queries.ts';
import { testDatabase } from '../../testing/database.ts';
import { queueIds, queuePage, queueTypes } from './queue.ts';
import { type QueueFilter, queueFilterShape } from './shape.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00Z');
const ids: Record<string, string> = {};
const filter = (given: Partial<Record<keyof QueueFilter, string>> = {}) => queueFilterShape.parse(given);
const page = (given: Parameters<typeof filter>[0] = {}, count = 15, offset = 0) =>
  queuePage(database, filter(given), { count, offset, now });
const named = async (given: Parameters<typeof filter>[0]) =>
  (await page(given)).projects.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));

beforeAll(async () => {
  const { sql } = database;
  const owner = await build.user(sql, { username: 'waiting-owner' });
  for (const [name, day] of [
    ['second', 2],
    ['first', 1],
    ['third', 3],
  ] as const) {
    const project = await build.project(sql, { status: 'processing', owner, title: `Stone 100% ${name}` });
    const version = await build.version(sql, project);
    ids[name] = project.id;
    await sql`update projects set queued = ${`2026-11-0${day}T00:00:00Z`} where id = ${project.id}`;
    if (name === 'second')
      await sql`insert into dependencies (version_id, file_name, dependency_type)
        values (${version.id}, 'other.jar', 'embedded')`;
  }
  const bare = await build.project(sql, { status: 'processing', title: 'Bare' });
  ids.bare = bare.id;
  await sql`update projects set queued = null, published = '2026-10-01', approved = '2026-10-01' where id = ${bare.id}`;
  await build.project(sql, { status: 'approved' });
});

test('the queue is oldest first; what was never submitted counts from its creation', async () => {
  expect(await named({})).toEqual(['bare', 'first', 'second', 'third']);
  expect(await named({ sort: 'newest' })).toEqual(['third', 'second', 'first', 'bare']);
  expect(await queueIds(database.sql, filter({}))).toEqual(
    ['bare', 'first', 'second', 'third'].map((n) => ids[n]),
  );
});

test('it is filtered by type, text and external files', async () => {
  expect(await named({ project_type: 'none' })).toEqual(['bare']);
  expect(await named({ project_type: 'mod' })).toEqual(['first', 'second', 'third']);
  expect(await named({ query: 'WAITING-own' })).toEqual(['first', 'second', 'third']);
  expect(await named({ query: '100% f' })).toEqual(['first']);
  expect(await named({ query: 'Stone_100' })).toEqual([]);
  expect(await named({ has_external_dependencies: 'true' })).toEqual(['second']);
  expect(await named({ sort: 'most_external_deps' })).toEqual(['second', 'bare', 'first', 'third']);
  expect(Object.fromEntries(await queueTypes(database.sql))).toEqual({ mod: 3, none: 1 });
});

test('a page tells who owns and who reviews it; beyond the end there is the total', async () => {
  const moderator = await build.user(database.sql, { role: 'moderator', username: 'careful' });
  const actor = build.actorFor(moderator, { role: 'moderator' });
  await database.sql.begin((tx) => acquireLock(tx, actor, ids.first!, { now }));
  const { total, projects } = await page({ query: 'stone' }, 2);
  expect(total).toBe(3);
  expect(projects).toHaveLength(2);
  expect(projects[0]).toMatchObject({
    name: 'Stone 100% first',
    is_again: false,
    ownership: { kind: 'user', name: 'waiting-owner' },
    lock: { username: 'careful' },
    external_dependencies_count: 0,
  });
  expect(projects[1]).toMatchObject({ lock: null, external_dependencies_count: 1 });
  expect(await page({}, 15, 100)).toEqual({ total: 4, projects: [] });
});

test('it can leave out what technical review has to look at', async () => {
  const { sql } = database;
  await sql`
    insert into scan_reports (id, file_id, flag_reason, severity, created, open)
    select 'ScanRep1', f.id, 'delphi', 'severe', ${now}, true
    from files f join versions v on v.id = f.version_id where v.project_id = ${ids.first!}`;
  expect(await named({ exclude_technical_review: 'true' })).toEqual(['bare', 'second', 'third']);
  expect(await queueIds(sql, filter({ exclude_technical_review: 'true' }))).not.toContain(ids.first);
  expect(await named({ exclude_technical_review: 'false' })).toContain('first');
  await sql`update scan_reports set open = false`;
  expect(await named({ exclude_technical_review: 'true' })).toContain('first');
});

test('takes two queries, however many projects wait', { timeout: 60_000 }, async () => {
  const { sql } = database;
  await seedBulk(sql, 500);
  await sql`update projects set status = 'processing' where status = 'approved'`;
  const counting = countingQueries(sql);
  const found = await queuePage({ ...database, sql: counting.sql }, filter({}), {
    count: 200,
    offset: 0,
    now,
  });
  expect(found.total).toBe(505);
  expect(found.projects).toHaveLength(200);
  expect(counting.count()).toBe(2);
});
