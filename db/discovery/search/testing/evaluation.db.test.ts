import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedBulk } from '../../../demo/bulk.ts';
import { testDatabase } from '../../../testing/database.ts';
import { documentsOf } from '../documents/documents.ts';
import { indexConsumer } from '../documents/index-consumer.ts';
import { postgresEngine } from '../postgres/engine.ts';
import { syncIndex } from './contract/caught-up.ts';
import { corpus } from './evaluation/corpus.ts';
import { demoDocuments, findsAsExpected } from './evaluation/examples.ts';
import type { Target } from './evaluation/target.ts';
import { evaluate } from './evaluation.ts';

const database = testDatabase();
const projects = 1_500;
const now = new Date('2026-05-04T03:02:01.009Z');

describe('a generated catalogue', () => {
  beforeAll(async () => {
    const { sql } = database;
    const reader = indexConsumer(sql, postgresEngine(sql));
    await reader.step();
    // two calls: the second continues where the first ended
    for (const part of [projects - 100, 100]) await seedBulk(sql, part, { seed: 2, now });
    await syncIndex(sql, reader);
  });

  it('is complete: projects, versions, primary files, owners, aggregates', async () => {
    const [row] = await database.sql`
      select (select count(*) from projects where status = 'approved') as projects,
        (select count(*) from versions) as versions,
        (select count(*) from versions v where exists (
          select from files f where f.version_id = v.id and f.is_primary)) as with_file,
        (select count(*) from team_members where is_owner) as owners,
        (select count(distinct user_id) from team_members) as authors,
        (select count(*) from projects where game_versions = '{}' or loaders = '{}' or project_types = '{}') as unfolded,
        (select count(*) from search_documents) as found`;
    expect(row).toMatchObject({ projects, owners: projects, found: projects, unfolded: 0 });
    expect(row?.versions / projects).toBeGreaterThan(8);
    expect(row?.versions / projects).toBeLessThan(12);
    expect(row?.with_file).toBe(row?.versions);
    expect(row?.authors).toBeGreaterThan(projects / 10);
  });

  it('gives the same documents as the generator without a database', async () => {
    const made = corpus({ seed: 2, projects, now }).slice(0, 400);
    const ids = made.map(({ project_id }) => project_id);
    expect(await documentsOf(database.sql, ids)).toEqual(made);
  });

  it('finds four of five projects first by exact, partial, mistyped, joined and reordered titles', async () => {
    const { sql } = database;
    const targets = await sql<Target[]>`
      select p.id as project_id, p.title, u.username as author, p.downloads, p.description as summary,
        p.categories || p.additional_categories || p.project_types as tags
      from projects p join team_members m on m.team_id = p.team join users u on u.id = m.user_id order by p.id`;
    const table = await evaluate(postgresEngine(sql), targets, { each: 25 });
    console.table(table);
    for (const { kind, top1, top5 } of table) {
      expect.soft(top1, kind).toBeGreaterThanOrEqual(kind === 'all' ? 80 : 70);
      expect.soft(top5, kind).toBeGreaterThanOrEqual(80);
    }
  });
});

describe('the demo catalogue', () => {
  beforeAll(async () => {
    await postgresEngine(database.sql).rebuild(Readable.from(demoDocuments()));
  });

  findsAsExpected(() => postgresEngine(database.sql));
});
