import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './install.mjs';
import { startOf } from './lock.mjs';
import { removeStaleRuns } from './run-folder.ts';

/** Runs are processes with a temporary folder of the system for themselves. */
const system = mkdtempSync(join(tmpdir(), 'cairn-system-'));
beforeAll(() => chmodSync(system, 0o711));
afterAll(() => rmSync(system, { recursive: true, force: true }));

interface Left {
  folder: string;
  /** Of a process and of a database that the run started. */
  pids: number[];
  /** Where the database is; elsewhere when its user cannot enter the folder. */
  cluster: string;
}
const script = `
  const { openRunFolder } = await import('${root}bin/run-folder.ts');
  const { startPostgres } = await import('${root}db/platform/postgres/embedded-postgres.ts');
  const { spawn } = await import('node:child_process');
  const { mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  await openRunFolder();
  const postgres = await startPostgres(mkdtempSync(tmpdir() + '/cairn-some-') + '/data');
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  console.log(JSON.stringify({ folder: tmpdir(), pids: [child.pid, postgres.pid], cluster: postgres.folder }));
  setInterval(() => {}, 1000);`;

/** A run that has started a process and a database. */
async function run(): Promise<Left & { kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: system },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  const said = await new Promise<string>((done) => child.stdout.once('data', (data) => done(String(data))));
  return {
    ...(JSON.parse(said) as Left),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('removes what a killed run left, and nothing of a run that goes on', { timeout: 120_000 }, async () => {
  const [killed, running] = [await run(), await run()];
  mkdirSync(join(system, 'cairn-other'));
  await killed.kill();
  expect(killed.pids.every(startOf)).toBe(true);
  expect(await removeStaleRuns([system])).toEqual([killed.folder]);
  expect(killed.pids.map(startOf)).toEqual([null, null]);
  for (const path of [killed.folder, dirname(killed.cluster)]) expect(existsSync(path)).toBe(false);
  for (const path of [running.folder, running.cluster, join(system, 'cairn-other')])
    expect(existsSync(path)).toBe(true);
  expect(running.pids.every(startOf)).toBe(true);
  await running.kill();
  expect(await removeStaleRuns([system])).toEqual([running.folder]);
});
