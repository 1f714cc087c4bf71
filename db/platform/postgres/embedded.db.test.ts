import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { connect } from './sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-embedded-'));
let server: EmbeddedPostgres;
beforeAll(async () => {
  server = await startPostgres(folder, ['fsync=off']);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('writes its log to its own file, not through the process that started it', () => {
  expect(readlinkSync(`/proc/${server.pid}/fd/2`)).toMatch(/\/postgres\.log$/);
});

it('logs no failed statements', async () => {
  const sql = connect({ address: server.address, max: 1 });
  await expect(sql`select 1 / 0 as "failing"`).rejects.toThrow('division by zero');
  await sql.end();
  const log = readlinkSync(`/proc/${server.pid}/fd/2`);
  expect(readFileSync(log, 'utf8')).not.toContain('failing');
});

it('gives the reason when it cannot start', async () => {
  const other = mkdtempSync(join(tmpdir(), 'cairn-embedded-'));
  await expect(startPostgres(other, ['shared_buffers=nonsense'])).rejects.toThrow(/shared_buffers/);
  rmSync(other, { recursive: true, force: true });
});

it('ends without a complaint when its folder was removed before it', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'cairn-embedded-'));
  const other = await startPostgres(gone, ['fsync=off']);
  rmSync(readlinkSync(`/proc/${other.pid}/fd/2`));
  // an error in the handler of its exit would fail the run
  await other.stop();
  rmSync(gone, { recursive: true, force: true });
});
