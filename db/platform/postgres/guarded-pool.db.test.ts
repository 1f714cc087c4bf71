import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { kill, resume, suspend } from '../../testing/outage.ts';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { connectGuarded } from './guarded-pool.ts';
import { toRefused } from './to-refused.ts';

/** Starts its own Postgres, because it suspends and kills it. */
const quick = ['fsync=off', 'full_page_writes=off'];
const folder = mkdtempSync(join(tmpdir(), 'cairn-guarded-'));
let postgres: EmbeddedPostgres;
let pool: ReturnType<typeof connectGuarded>;
const lines: string[] = [];
beforeAll(async () => {
  postgres = await startPostgres(folder, quick);
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  pool = connectGuarded({ address: postgres.address, max: 1, statement_timeout_ms: 15_000 }, log);
  await pool.sql`create table written (name text)`;
});
afterEach(() => resume(postgres));
afterAll(async () => {
  await pool?.watch.close();
  await pool?.sql.end({ timeout: 1 });
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const code = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => 'answered',
    (error: unknown) => toRefused(error)?.code,
  );
const answers = async () => (await pool.sql`select 1 as one`.catch(() => []))[0]?.one;

test('a slow statement is no outage', async () => {
  const began = performance.now();
  expect(await code(pool.sql`select pg_sleep(2.5)`)).toBe('answered');
  expect(performance.now() - began).toBeGreaterThan(2_400);
  expect(pool.watch.awaySince()).toBeNull();
});

test('what waits while Postgres hangs is refused within two seconds and never runs later', async () => {
  const { sql, watch } = pool;
  let ran = false;
  const open = code(
    sql.begin(async (tx) => {
      await tx`insert into written values ('in an open transaction')`;
      suspend(postgres);
      await tx`select 1`;
    }),
  );
  await wait(100);
  const began = performance.now();
  const waiting = [
    code(sql`insert into written values ('queued')`),
    code(sql.unsafe("insert into written values ('queued too')")),
    code(
      sql.begin(async (tx) => {
        ran = true;
        await tx`insert into written values ('in a queued transaction')`;
      }),
    ),
    code(sql.reserve()),
  ];
  expect(await Promise.all([open, ...waiting])).toEqual(Array.from({ length: 5 }, () => 'database_away'));
  expect(performance.now() - began).toBeLessThan(2_000);
  const refused_at = performance.now();
  expect(await code(sql`select 1`)).toBe('database_away');
  expect(await code(sql.begin((tx) => tx`select 1`))).toBe('database_away');
  expect(await watch.check()).toBe(false);
  expect(performance.now() - refused_at, 'at once').toBeLessThan(100);

  resume(postgres);
  await expect.poll(answers, { timeout: 5_000 }).toBe(1);
  await wait(500);
  expect(await sql`select name from written`).toEqual([]);
  expect(ran).toBe(false);
  expect(lines).toEqual([
    'Postgres does not answer; what needs it is refused with 503 until it does',
    'Postgres answers again',
  ]);
});

test('a Postgres that is gone is refused at once, however often, and used again when it is back', async () => {
  await kill(postgres);
  try {
    await expect.poll(() => pool.watch.awaySince()).not.toBeNull();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await code(pool.sql`select 1`)).toBe('database_away');
      await wait(300);
    }
  } finally {
    postgres = await startPostgres(folder, quick);
  }
  await expect.poll(answers, { timeout: 5_000 }).toBe(1);
});
