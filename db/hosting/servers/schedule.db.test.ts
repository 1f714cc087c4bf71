import { describe, expect, it } from 'vitest';
import { user } from '../../testing/builders/build.ts';
import { node, server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { expireNodes, setDraining } from '../nodes/write.ts';
import { serversById } from './read.ts';
import { scheduleServer, unscheduled } from './schedule.ts';

const database = testDatabase();
const now = new Date('2026-11-21T12:00:00Z');
const placeOne = (id: string, at = now) => database.sql.begin((tx) => scheduleServer(tx, id, at));
const view = async (id: string) => (await serversById(database.sql, [id], now))[0]?.view;

describe('scheduling a server', () => {
  it('gives the last capacity to one of two orders and refuses the other', async () => {
    const { sql } = database;
    await node(sql, now, { region: 'last-room', facts: { ram_mb: 4_096 } });
    const owner = await user(sql);
    const orders = await Promise.all([1, 2].map(() => server(sql, owner, { region: 'last-room' })));
    const placed = await Promise.all(orders.map((id) => placeOne(id)));
    expect(placed.map(({ placed: one }) => one).sort()).toEqual([false, true]);
    const loser = orders[placed.findIndex((one) => !one.placed)]!;
    expect(await view(loser)).toMatchObject({
      lifecycle: 'unprovisioned',
      lifecycle_data: { reason: 'out_of_stock' },
      address: null,
    });
    expect(await unscheduled(sql, 10)).toContain(loser);
  });

  it('never assigns the last capacity twice, with many concurrent requests', async () => {
    const { sql } = database;
    for (const ports of [1, 2]) {
      const region = `rush-${ports}`;
      await node(sql, now, { region });
      await node(sql, now, { region });
      const owner = await user(sql);
      const orders = await Promise.all(Array.from({ length: 10 }, () => server(sql, owner, { region })));
      const placed = await Promise.all(orders.map((id) => placeOne(id)));
      expect(placed.filter((one) => one.placed)).toHaveLength(8);
      const positions = placed.flatMap((one) => (one.placed ? [`${one.node_id}:${one.port}`] : []));
      expect(new Set(positions).size).toBe(8);
    }
  });

  it('assigns no port that something else on the host uses', async () => {
    const { sql } = database;
    await node(sql, now, { region: 'ports', ports: [30_000, 30_003], ports_used: [30_000, 30_002] });
    const owner = await user(sql);
    const ids = [
      await server(sql, owner, { region: 'ports' }),
      await server(sql, owner, { region: 'ports' }),
    ];
    const third = await server(sql, owner, { region: 'ports' });
    expect(await placeOne(ids[0]!)).toMatchObject({ port: 30_001 });
    expect(await placeOne(ids[1]!)).toMatchObject({ port: 30_003 });
    expect(await placeOne(third)).toEqual({ placed: false });
  });

  it('uses no node that is drained, offline, in another region or cannot run the kind', async () => {
    const { sql } = database;
    const region = 'picky';
    const owner = await user(sql);
    const drained = await node(sql, now, { region });
    await setDraining(sql, drained.id, true);
    await node(sql, now, { region, facts: { kinds: ['itzg'] } });
    await node(sql, now, { region: 'somewhere-else' });
    const id = await server(sql, owner, { region });
    expect(await placeOne(id)).toEqual({ placed: false });
    await setDraining(sql, drained.id, false);
    const later = new Date(now.getTime() + 26_000);
    expect(await placeOne(id, later)).toEqual({ placed: false });
    expect(await expireNodes(sql, later)).toContain(drained.id);
  });

  it('keeps the node of a scheduled server', async () => {
    const { sql } = database;
    await node(sql, now, { region: 'again' });
    const id = await server(sql, await user(sql), { region: 'again' });
    expect(await placeOne(id)).toEqual(await placeOne(id));
    expect(await view(id)).toMatchObject({ lifecycle: 'provisioning', lifecycle_data: {} });
  });
});
