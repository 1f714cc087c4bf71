import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { snapshotFolder } from '#db/discovery/search/create-engine.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { buildBase } from '#db/discovery/search/embedded/builder.ts';
import type { Built } from '#db/discovery/search/embedded/builder-protocol.ts';
import { baseFiles } from '#db/discovery/search/embedded/snapshots.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { type SiteStatus, searchReport } from '#db/discovery/search/report.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { searchFindings } from './search-findings.ts';

const database = testDatabase();
let root: string;
let first: string;
let made: Built;
const projects: build.BuiltProject[] = [];
let record: Parameters<typeof searchReport>[0];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cairn-report-'));
  const searchIndex = postgresEngine(database.sql);
  record = { ...{ sql: database.sql, searchIndex }, settings: parseSettings({}), now: () => new Date() };
  for (const title of ['Lantern', 'Moss', 'Stone'])
    projects.push(await build.project(database.sql, { title }));
  const reader = indexConsumer(database.sql, searchIndex);
  while ((await reader.step()) > 0);
  first = join(root, 'first');
  const connect = { address: database.address, database: database.name };
  made = (await buildBase({ connect, folder: first, nice: 0 })) as Built;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
/** A separate installation in each test. */
beforeEach(() => {
  const DATA_DIR = mkdtempSync(join(root, 'data-'));
  record = { ...record, settings: parseSettings({ DATA_DIR, SEARCH_ENGINE: 'embedded' }) };
});

/** A snapshot of all projects, as if built in this installation. */
const snapshot = () => cpSync(first, snapshotFolder(record.settings), { recursive: true });
const flip = (path: string, place: number) => {
  const bytes = readFileSync(path);
  const at = place < 0 ? bytes.length + place : place;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(path, bytes);
};
const files = (generation: number) => baseFiles(snapshotFolder(record.settings), generation);
const troubles = async (site: SiteStatus | null = null) =>
  (await searchFindings(record, site)).filter(({ fine }) => !fine);
const status = { ready: true, documents: 3, generation: 2, bytes: 4_000 };
const running: SiteStatus = { ...status, engine: 'embedded', cursor_lag: 0, waiting: 2 };

describe("the doctor's findings about search", () => {
  it('without a snapshot Postgres would answer, and the doctor asks for one', async () => {
    expect(await searchReport(record, null)).toMatchObject({
      chosen: 'embedded',
      running: false,
      engine: 'postgres',
      ready: true,
      documents: 3,
      cursor_lag: 0,
      snapshot: null,
      last_build: null,
    });
    expect((await troubles()).map(({ part, mend }) => [part, mend.includes('search rebuild')])).toEqual([
      ['search', true],
      ['search snapshot', true],
    ]);
  });

  it('with a snapshot a site would start from it, however many events are newer', async () => {
    snapshot();
    const { generation, documents, bytes, took_ms } = made;
    await recordEvent(database.sql, { name: 'project.edited', project_id: projects[0]!.id });
    const report = await searchReport(record, null);
    expect(report).toMatchObject({
      ...{ engine: 'embedded', ready: true, documents },
      snapshot: { generation, documents, bytes, unusable: null },
      last_build: { ms: took_ms, documents },
    });
    expect(report.cursor_lag).toBeGreaterThan(0);
    expect(await troubles()).toEqual([]);
  });

  it('a running site reports its own status', async () => {
    snapshot();
    expect(await searchReport(record, running)).toMatchObject({
      ...{ running: true, engine: 'embedded', ready: true, documents: 3, bytes: 4_000 },
      ...{ waiting: 2, cursor_lag: 0 },
    });
    expect(await troubles(running)).toEqual([]);
    expect(await troubles({ ...running, engine: 'postgres' })).toMatchObject([
      { part: 'search', found: 'postgres answers instead of embedded, 3 documents' },
    ]);
    expect(await troubles({ ...running, cursor_lag: 5_000 })).toMatchObject([
      { part: 'search lag', found: '5000 events behind' },
    ]);
  });

  it.each([
    ['header', 'segment', 30],
    ['last section', 'segment', -1],
    ['stored hits', 'bodies', 0],
  ] as const)('a flipped bit in the %s of the snapshot is detected', async (_where, file, place) => {
    snapshot();
    flip(files(made.generation)[file], place);
    const [trouble, ...others] = (await troubles()).filter(({ part }) => part === 'search snapshot');
    expect(others).toEqual([]);
    expect(trouble).toMatchObject({
      found: expect.stringMatching(/damaged/),
      mend: expect.stringContaining('rebuild'),
    });
    snapshot();
    expect(await troubles()).toEqual([]);
  });

  it('a snapshot of another catalog is ignored', async () => {
    snapshot();
    await database.sql`update installation set value = '"elsewhere"' where key = 'search_origin'`;
    expect((await searchReport(record, null)).snapshot?.unusable).toBe('it is of another catalogue');
    expect((await troubles()).map(({ part }) => part)).toEqual(['search', 'search snapshot']);
    await database.sql`delete from installation where key = 'search_origin'`;
  });

  it('with Postgres as the engine snapshots are not mentioned', async () => {
    record = { ...record, settings: parseSettings({ SEARCH_ENGINE: 'postgres' }) };
    const findings = await searchFindings(record, { ...status, engine: 'postgres' });
    expect(findings.map(({ part, fine }) => [part, fine])).toEqual([
      ['search', true],
      ['search lag', true],
    ]);
  });
});
