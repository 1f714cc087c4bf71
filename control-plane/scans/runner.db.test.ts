import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { enqueueAgain, enqueueOutdated } from '#db/catalogue/scans/enqueue.ts';
import { scanBacklog, scanStateOf } from '#db/catalogue/scans/read.ts';
import { openScanner, ScanFailed, type Scanner } from '#db/moderation/scanner/scanner.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import * as build from '#db/testing/builders/build.ts';
import { classFile } from '#db/testing/class-files.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { createScanRunner } from './runner.ts';

/** Files from the queue through the scanner's own process to what is stored. */
const database = testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'cairn-scans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let now = new Date('2026-11-24T12:00:00Z');
beforeEach(async () => {
  await database.sql`delete from file_scans`;
});

const waits: number[] = [];
const runner = (scanner: Scanner) =>
  createScanRunner(
    {
      sql: database.sql,
      settings: { ...database.settings, DATA_DIR: folder },
      ...{ log: pino({ level: 'silent' }), now: () => now, sealer: createSealer(randomBytes(32)) },
    },
    scanner,
    (waited_s) => waits.push(waited_s),
  );

async function uploaded(bytes: Buffer | null) {
  const { sql } = database;
  const project = await build.project(sql, { status: 'approved' });
  const version = await build.version(sql, project);
  const { id: file_id, filename } = version.files[0]!;
  await sql`insert into file_scans (file_id, requested, due) values (${file_id}, ${now}, ${now})`;
  const storage = diskStorage(folder);
  const chunks = async function* () {
    yield bytes!;
  };
  if (bytes)
    await storage.put(versionFileKey(project.id, version.id, filename), await storage.stage(chunks()));
  const state = async () => await scanStateOf(sql, version.id);
  return { version, file_id, state };
}
const jar = (text: string) =>
  zipOf({ 'a/A.class': classFile({ name: 'a/A', methods: { run: [['text', text]] } }) });

test('a clean file is scanned, a harmful one is held, one that is gone fails at once', async () => {
  const scanner = openScanner();
  try {
    const clean = await uploaded(await jar('Hello'));
    const harmful = await uploaded(await jar('https://discord.com/api/webhooks/1/x'));
    const gone = await uploaded(null);
    expect(await clean.state()).toBe('waiting');
    expect(await scanBacklog(database.sql, new Date(now.getTime() + 5_000))).toEqual({
      waiting: 3,
      oldest_s: 5,
      failed: 0,
    });
    const { step } = runner(scanner);
    now = new Date(now.getTime() + 5_000);
    for (let file = 0; file < 3; file += 1) expect((await step()).taken).toBe(1);
    expect((await step()).taken).toBe(0);
    expect(waits).toEqual([5, 5]); // a file that is gone has no result
    expect([await clean.state(), await harmful.state(), await gone.state()]).toEqual([
      'clean',
      'done',
      'failed',
    ]);
    const [row] =
      await database.sql`select status, held is not null as held from versions where id = ${harmful.version.id}`;
    expect(row).toEqual({ status: 'draft', held: true });
  } finally {
    await scanner.close();
  }
});

test('a scan that fails is tried three times, then staff hear of it once, and it can be asked for again', async () => {
  const failing: Scanner = {
    scan: () => Promise.reject(new ScanFailed('crashed', 'It ended.')),
    close: async () => {},
  };
  const { file_id, state } = await uploaded(await jar('Hello'));
  const { step } = runner(failing);
  const notices = () => database.sql`select kind from staff_notices where key = ${`scan ${file_id}`}`;
  for (let tries = 1; tries <= 3; tries++) {
    expect((await step()).taken).toBe(1);
    expect(await state()).toBe(tries < 3 ? 'waiting' : 'failed');
    expect((await step()).taken).toBe(0); // not before its time
    now = new Date(now.getTime() + 3_600_000);
  }
  expect(await notices()).toHaveLength(1);
  expect(await database.sql.begin((tx) => enqueueAgain(tx, file_id, now))).toBe(true);
  expect((await step()).taken).toBe(1);
});

test('a scan whose process ends in the middle, again and again, is left to staff too', async () => {
  const never: Scanner = { scan: () => Promise.reject(new Error('not asked')), close: async () => {} };
  const { file_id, state } = await uploaded(await jar('Hello'));
  // nobody stored how the three tries ended
  await database.sql`update file_scans set attempts = 3 where file_id = ${file_id}`;
  expect((await runner(never).step()).taken).toBe(1);
  expect(await state()).toBe('failed');
  const [row] = await database.sql`select problem from file_scans where file_id = ${file_id}`;
  expect(row).toEqual({ problem: 'crashed' });
  expect(await database.sql`select from staff_notices where key = ${`scan ${file_id}`}`).toHaveLength(1);
});

test('everything is scanned again when the rules change, after new files', async () => {
  const { sql } = database;
  const [old, fresh] = [await uploaded(await jar('Hello')), await uploaded(await jar('Hello'))];
  await sql`update file_scans set state = 'done', rules_version = 1, complete = true where file_id = ${old.file_id}`;
  expect(await enqueueOutdated(sql, 2, now)).toBe(1);
  expect(await old.state()).not.toBe('waiting'); // it has a result already
  const order: string[] = [];
  const scanner: Scanner = {
    scan: async ({ key }) => {
      order.push(key);
      return { rules_version: 2, traces: [], complete: true, pack_files: [], classes: 1, bytes: 1 };
    },
    close: async () => {},
  };
  const { step } = runner(scanner);
  await step();
  await step();
  expect(order.map((key) => key.includes(fresh.version.id))).toEqual([true, false]);
});
