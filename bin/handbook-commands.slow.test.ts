import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { handbookPages, shellBlocks } from './handbooks.ts';
import { root } from './install.mjs';

/**
 * Runs the shell blocks of the handbooks that are marked `runnable` in an empty installation: its own data folder and
 * embedded Postgres, as while the product runs. Those of one page run in their order, pages at the same time.
 */
const folder = mkdtempSync(join(tmpdir(), 'cairn-handbooks-'));
let database: EmbeddedPostgres;
const shell = async (text: string) =>
  await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd: root,
    timeout: 180_000,
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, SEED: 'none', HOSTING: 'off' },
  });

beforeAll(async () => {
  database = await startPostgres(folder);
  await shell('npm run -s cairn -- migrate');
});
afterAll(async () => {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
  // beside other folders where no database was started
  const outside = database ? dirname(database.folder) : folder;
  if (outside !== folder) rmSync(outside, { recursive: true, force: true });
});

const pages = handbookPages()
  .map(({ path, body }) => ({ path, blocks: shellBlocks(body).filter(({ runnable }) => runnable) }))
  .filter(({ blocks }) => blocks.length > 0);

describe('the runnable commands of the handbooks', () => {
  it.concurrent.each(pages)(
    '$path',
    async ({ blocks }) => {
      for (const { text } of blocks) await shell(text); // fails, with the text, unless it ends with 0
    },
    200_000,
  );

  it('are some', () => {
    expect(pages.flatMap(({ blocks }) => blocks).length).toBeGreaterThan(12);
  });
});
