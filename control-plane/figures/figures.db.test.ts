import { expect, it, vi } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { rentServer, running, testControlPlane } from '../testing/plane.ts';

/** What agents send becomes minutes in Postgres, one statement for all servers of a plane. */
const database = testDatabase();
const plane = testControlPlane(database);
const hour = 3_600_000;

it('stores minutes of the plane’s own clock, whatever the clock of the node says', async () => {
  const { sql } = database;
  const rent = await rentServer(sql, plane.url);
  await running(rent);
  const before = Date.now();
  await rent.runner.measured(rent.id, before - hour);
  await rent.runner.measured(rent.id, before + hour);
  await plane.plane.figures.store(Number.POSITIVE_INFINITY);
  const rows = await sql<{ at: string; samples: number; players: number }[]>`
    select at, samples, players from server_minutes where server_id = ${rent.id}`;
  expect(rows.reduce((sum, { samples }) => sum + samples, 0)).toBe(2);
  for (const { at, players } of rows) {
    expect(Math.abs(Date.parse(at) - before)).toBeLessThan(5 * 60_000);
    expect(players).toBe(2);
  }
  const answer = await rent.screen.request('figures.show', { server_id: rent.id, range: 'day' });
  expect(answer.ok && answer.figures.series.cpu).toHaveLength(1_440);
});

it('keeps minutes while Postgres does not take them', async () => {
  const { sql } = database;
  const rent = await rentServer(sql, plane.url);
  await running(rent);
  await rent.runner.measured(rent.id, Date.now());
  await sql`alter table server_minutes rename to server_minutes_away`;
  await plane.plane.figures.store(Number.POSITIVE_INFINITY);
  await sql`alter table server_minutes_away rename to server_minutes`;
  await vi.waitFor(async () => {
    await plane.plane.figures.store();
    expect(await sql`select from server_minutes where server_id = ${rent.id}`).toHaveLength(1);
  });
});
