import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStorage } from '../../platform/storage/disk.ts';
import { classFile } from '../../testing/class-files.ts';
import { zipOf } from '../../testing/zips.ts';
import { openScanner, type Scanner } from './scanner.ts';

/** The scanner's own process, on files of a real storage. */
let folder: string;
let scanner: Scanner | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-scanner-'));
});
afterEach(async () => {
  await scanner?.close();
  rmSync(folder, { recursive: true, force: true });
});
const open = (given: Parameters<typeof openScanner>[0] = {}) => {
  scanner = openScanner(given);
  return scanner;
};

async function store(key: string, bytes: Buffer): Promise<void> {
  const storage = diskStorage(folder);
  await storage.put(
    key,
    await storage.stage(
      (async function* () {
        yield bytes;
      })(),
    ),
  );
}
const task = (key: string) => ({ settings: { DATA_DIR: folder }, key, filename: 'a.jar', known_bad: [] });
const jar = () =>
  zipOf({ 'a/A.class': classFile({ name: 'a/A', methods: { run: [['call', 'java/lang/Runtime.exec']] } }) });

test('scans stored files one after the other in one process, and a new one after it was idle', async () => {
  await store('data/a/a.jar', await jar());
  const { scan } = open({ idle_ms: 50 });
  const results = await Promise.all([1, 2, 3].map(() => scan(task('data/a/a.jar'))));
  for (const { traces } of results) expect(traces.map((t) => t.issue_type)).toEqual(['process_start']);
  await new Promise((done) => setTimeout(done, 200));
  expect((await scan(task('data/a/a.jar'))).traces).toHaveLength(1);
});

test('a file that is gone is missing, and the next one is scanned', async () => {
  await store('data/a/a.jar', await jar());
  const { scan } = open();
  await expect(scan(task('data/a/b.jar'))).rejects.toMatchObject({ problem: 'missing' });
  expect((await scan(task('data/a/a.jar'))).complete).toBe(true);
});

test.each([
  ['hangs', 'process.on("message", () => { for (;;); });', 'timeout'],
  ['crashes', 'process.on("message", () => process.abort());', 'crashed'],
  [
    'runs out of memory',
    'process.on("message", () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); });',
    'crashed',
  ],
])('a scan that %s fails, and the process with it', async (_, code, problem) => {
  writeFileSync(join(folder, 'hostile.mjs'), code);
  const timeout_ms = problem === 'timeout' ? 500 : 20_000;
  const { scan } = open({ script: join(folder, 'hostile.mjs'), timeout_ms, heap_mb: 32 });
  for (let tries = 0; tries < 2; tries++)
    await expect(scan(task('data/a/a.jar'))).rejects.toMatchObject({ problem });
});
