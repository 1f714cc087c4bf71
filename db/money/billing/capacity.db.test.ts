import { beforeEach, describe, expect, it } from 'vitest';
import { whyNoRoomFor } from '../../hosting/servers/capacity.ts';
import { hasNodeFor } from '../../hosting/servers/schedule.ts';
import { sizeOf } from '../../hosting/servers/sizes.ts';
import { user } from '../../testing/builders/build.ts';
import { node, server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { availableCapacity, capacities } from './capacity.ts';
import { sizesForServer } from './plan-change/offers.ts';
import { customGb } from './rules.ts';

const database = testDatabase();
const now = new Date('2026-11-21T12:00:00Z');
const region = 'central-europe';
const sizes = Array.from({ length: customGb.most / customGb.step }, (_, at) => (at + 1) * customGb.step);
beforeEach(async () => {
  await database.sql`update servers set node_id = null, port = null`;
  await database.sql`delete from nodes`;
});

/** Sizes that a machine sells, would run, and lets one of its small servers grow to. */
async function answers(facts: { ram_mb: number; cpu_millis: number }, overcommit: number) {
  const { sql } = database;
  const { id: node_id } = await node(sql, now, { region, facts: { ...facts, disk_mb: 4_000_000 } });
  await sql`update nodes set overcommit = ${overcommit} where id = ${node_id}`;
  const stocks = await capacities(sql, sizes.map(sizeOf), now);
  const sold = sizes.filter((_, at) => stocks[at]![region] >= 1);
  const runs: number[] = [];
  for (const gb of sizes)
    if (await hasNodeFor(sql, { kind: 'local', region, ...sizeOf(gb) }, now)) runs.push(gb);
  const server_id = await server(sql, await user(sql), { region });
  await sql`update servers set node_id = ${node_id}, port = 25_599 where id = ${server_id}`;
  const grows: number[] = [];
  for (const gb of sizes.slice(2)) {
    const [all, small] = [sizeOf(gb), sizeOf(4)];
    const more = {
      ram_mb: all.ram_mb - small.ram_mb,
      cpu_millis: all.cpu_millis - small.cpu_millis,
      disk_mb: all.disk_mb - small.disk_mb,
    };
    if ((await whyNoRoomFor(sql, node_id, more, all)) === null) grows.push(gb);
  }
  return { sold, runs, grows, offered: await sizesForServer(sql, server_id, sizes) };
}

describe('what a machine can hold', () => {
  it.each([
    [2, 64, 4, 4],
    [3, 64, 4, 6],
    [8, 6, 4, 6],
    [8, 64, 1, 48],
    [4, 8, 1, 8],
  ])(
    '%i cores with %i GB, given out %i times, hold up to %i GB wherever it is asked',
    async (cores, gb, overcommit, most) => {
      const facts = { cpu_millis: cores * 1000, ram_mb: gb * 1024 };
      const { sold, runs, grows, offered } = await answers(facts, overcommit);
      expect(sold.at(-1)).toBe(most);
      expect(runs).toEqual(sold);
      expect(grows).toEqual(sold.filter((one) => one > 4));
      expect(offered).toEqual(sold);
    },
  );

  it('counts places for each size, and none on a smaller machine', async () => {
    const { sql } = database;
    await node(sql, now, { region, facts: { cpu_millis: 8_000, ram_mb: 16 * 1024, disk_mb: 4_000_000 } });
    await node(sql, now, { region, facts: { cpu_millis: 2_000, ram_mb: 64 * 1024, disk_mb: 4_000_000 } });
    const [small, medium] = await capacities(sql, [4, 6].map(sizeOf), now);
    expect([small![region], medium![region]]).toEqual([5, 2]);
    expect((await availableCapacity(sql, sizeOf(6), now))[region]).toBe(2);
  });
});
