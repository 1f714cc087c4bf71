import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { connect } from './sql.ts';
import { toRefused as toRefusal } from './to-refused.ts';

const database = testDatabase();

it('a connection lost during a transaction refuses what follows, and the pool recovers', async () => {
  const sql = connect({ address: database.address, database: database.name, max: 1 });
  const timer = Promise.withResolvers<unknown>();
  const lost = sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await database.sql`select pg_terminate_backend(${own!.pid}, 5000)`;
    await tx`select 1`.catch(() => {});
    for (let turns = 0; turns < 100; turns++) await setImmediate(); // the driver notices that the socket closed
    // without our patch this throws from a timer, and the query never settles
    timer.resolve(
      tx`select 2`.then(
        () => 'answered',
        (error: { code?: string }) => error.code,
      ),
    );
  });
  await expect(lost).rejects.toThrow();
  expect(await timer.promise).toBe('CONNECTION_CLOSED');
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
  await sql.end();
});

it.each(['lost', 'refused'] as const)(
  'what the driver asks of a new connection is %s: its query fails, the process does not, and the pool recovers',
  async (fault) => {
    // without our patch nobody handles this
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    let left = 1;
    const door = createServer((from) => {
      const to = connectTo(join(database.address, '.s.PGSQL.5432'));
      from.on('error', () => {}).on('close', () => to.destroy());
      to.on('error', () => {}).on('close', () => from.destroy());
      to.pipe(from);
      from.on('data', (bytes) => {
        const asksTypes = bytes.includes('pg_catalog.pg_type') && left-- > 0;
        if (asksTypes && fault === 'lost') from.resetAndDestroy();
        else if (asksTypes)
          to.write(bytes.toString('latin1').replace('pg_catalog.pg_type', 'pg_catalog.no_type'), 'latin1');
        else to.write(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    onTestFinished(() => void door.close());
    const { port } = door.address() as AddressInfo;
    const sql = connect({ address: `postgres://app@127.0.0.1:${port}/${database.name}`, max: 1 });
    const words = () => sql<{ words: string[] }[]>`select array['a', 'b']::text[] as words`;
    await expect(words()).rejects.toMatchObject({ code: { lost: 'ECONNRESET', refused: '42P01' }[fault] });
    for (let turns = 0; turns < 100; turns++) await setImmediate(); // the driver notices that the socket closed
    // on the refused connection arrays would be texts
    expect(await words()).toEqual([{ words: ['a', 'b'] }]);
    expect(unhandled).toEqual([]);
    await sql.end();
  },
);

it('returns times as RFC 3339 in UTC and counts as numbers', async () => {
  const [row] = await database.sql`
    select timestamptz '2023-02-05 19:39:55.551839+00' as at, timestamptz '2023-02-05 21:00+02' as whole, 5000000000::bigint as count`;
  expect(row).toEqual({
    at: '2023-02-05T19:39:55.551839Z',
    whole: '2023-02-05T19:00:00Z',
    count: 5_000_000_000,
  });
});

it('fails every query quickly while the server is down, also after many failures', async () => {
  const sql = connect({ address: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const began = performance.now();
  for (let i = 0; i < 8; i++) await expect(sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(performance.now() - began).toBeLessThan(6_000);
  await sql.end();
});

it('limits statements and idle transactions of a pool with a statement timeout', async () => {
  const sql = connect({
    address: database.address,
    database: database.name,
    max: 1,
    statement_timeout_ms: 15_000,
  });
  const [row] = await sql`select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`;
  expect(row).toEqual({ statement: '15s', idle: '30s' });
  await sql.end();
  const quick = connect({
    address: database.address,
    database: database.name,
    max: 1,
    statement_timeout_ms: 50,
  });
  const slow = await quick`select pg_sleep(20)`.catch((error: unknown) => error);
  expect(toRefusal(slow)?.code).toBe('busy');
  await quick.end();
});
