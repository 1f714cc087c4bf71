import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedPostgres, startPostgres } from '../postgres/embedded-postgres.ts';
import { connect } from '../postgres/sql.ts';
import { toRefused } from '../postgres/to-refused.ts';

/** Starts its own Postgres, because it suspends its processes. */
let folder: string;
let postgres: EmbeddedPostgres;
const stopped: number[] = [];
const resume = () => {
  for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-hung-'));
  postgres = await startPostgres(folder, ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']);
});
afterAll(async () => {
  resume();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('refuses queries while Postgres processes are suspended, and answers after they resume', async () => {
  const sql = connect({ address: postgres.address, max: 2, statement_timeout_ms: 100 });
  const [own] = await sql<Array<{ backend: number }>>`select pg_backend_pid() as backend`;
  const [main] = await sql<Array<{ pid: number }>>`
    select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid`;
  for (const pid of [own!.backend, main!.pid]) {
    process.kill(pid, 'SIGSTOP');
    stopped.push(pid);
  }
  const requested = Array.from({ length: 6 }, () =>
    sql`select 1`.then(
      () => 'answered',
      (error: unknown) => toRefused(error)?.code,
    ),
  );
  expect(new Set(await Promise.all(requested))).toEqual(new Set(['database_away']));
  resume();
  await expect.poll(async () => (await sql`select 2 as two`.catch(() => []))[0]).toEqual({ two: 2 });
  await sql.end({ timeout: 1 });
});
