import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { user } from '../../testing/builders/build.ts';
import { facts, node, server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { createOperation } from '../servers/operations/operations.ts';
import { scheduleServer } from '../servers/schedule.ts';
import { deleteServer } from '../servers/write.ts';
import { nodeBySecret, nodeViews } from './read.ts';
import {
  acquireLease,
  addNode,
  expireNodes,
  joinNode,
  lockLease,
  recordHeartbeat,
  reissueJoinToken,
  removeNode,
  rotateSecret,
  setDraining,
} from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const hour = 3_600_000;
const add = (name = `n-${newId().toLowerCase()}`) =>
  addNode(database.sql, { name, region: 'x', public_address: 'play.example.test' }, now);

describe('adding a node', () => {
  it('gives a token that is valid once within a day, and stores no usable secret', async () => {
    const { sql } = database;
    const [first, second] = [await add(), await add()];
    const { node: joined, secret } = await joinNode(sql, first.join_token, later(23 * hour));
    expect(joined).toMatchObject({
      id: first.id,
      bind_address: '0.0.0.0',
      port_from: 25_600,
      port_to: 25_999,
    });
    await expect(joinNode(sql, first.join_token, now)).rejects.toMatchObject({ code: 'join_token_invalid' });
    await expect(joinNode(sql, second.join_token, later(25 * hour))).rejects.toMatchObject({
      code: 'join_token_invalid',
    });
    const { join_token } = await reissueJoinToken(sql, second.id, later(25 * hour));
    await expect(joinNode(sql, second.join_token, now)).rejects.toMatchObject({ code: 'join_token_invalid' });
    await joinNode(sql, join_token, later(26 * hour));
    const stored = JSON.stringify(await sql`select * from nodes`);
    for (const text of [first.join_token, join_token, secret]) expect(stored).not.toContain(text);
  });

  it('lets one of two agents join that present the token concurrently', async () => {
    const { join_token } = await add();
    const both = await Promise.allSettled([1, 2].map(() => joinNode(database.sql, join_token, now)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('requires a unique name', async () => {
    await add('alpha');
    await expect(add('alpha')).rejects.toMatchObject({ code: 'node_name_taken' });
    for (const name of ['', '-a', 'A', 'a b', 'x'.repeat(33)])
      await expect(add(name)).rejects.toMatchObject({ code: 'node_name_invalid' });
  });
});

describe('an agent secret', () => {
  it('authenticates its own node, and the previous one for a day after a rotation', async () => {
    const { sql } = database;
    const { id, secret } = await node(sql, now);
    const other = await node(sql, now);
    const opens = async (text: string, at = now, owner = id) =>
      (await nodeBySecret(sql, owner, text, at)) !== null;
    expect([await opens(secret), await opens(secret, now, other.id), await opens('')]).toEqual([
      true,
      false,
      false,
    ]);
    const { secret: fresh } = await rotateSecret(sql, id, now);
    expect([
      await opens(fresh),
      await opens(secret, later(23 * hour)),
      await opens(secret, later(25 * hour)),
    ]).toEqual([...[true, true, false]]);
  });
});

describe('a heartbeat', () => {
  it('counts only under the newest lease, and brings an offline node back', async () => {
    const { sql } = database;
    const { id, lease } = await node(sql, now);
    const status = async (at: Date) => (await nodeViews(sql, at, id))[0]?.status;
    const beat = (under: number, docker: 'up' | 'down', at: Date) =>
      recordHeartbeat(sql, id, { lease: under, docker, facts, ports_used: [25_605] }, at);
    expect(await status(later(26_000))).toBe('offline');
    expect(await expireNodes(sql, later(26_000))).toContain(id);
    expect(await expireNodes(sql, later(26_000))).not.toContain(id);
    await beat(lease, 'down', later(30_000));
    expect(await status(later(30_000))).toBe('degraded');
    await beat(lease, 'up', later(35_000));
    expect(await status(later(35_000))).toBe('online');
    await acquireLease(sql, id, { holder: 'other', boot_id: 'b', now });
    await expect(beat(lease, 'up', later(40_000))).rejects.toMatchObject({ code: 'lease_stale' });
  });
});

describe('a node as staff see it', () => {
  it('shows allocated and total capacity', async () => {
    const { sql } = database;
    const region = newId();
    const { id } = await node(sql, now, { region, ports: [30_000, 30_009], ports_used: [30_001] });
    await sql`update nodes set overcommit = 2, disk_mb = 50000 where id = ${id}`;
    const one = await server(sql, await user(sql), { region });
    await sql.begin((tx) => scheduleServer(tx, one, now));
    await sql`update servers set power = 'running' where id = ${one}`;
    expect((await nodeViews(sql, now, id))[0]).toMatchObject({
      ...{ servers: 1, running: 1, overcommit: 2, ports: { used: 2, all: 10 } },
      ram_mb: { promised: 4_096, real: 16_384, most: 32_768 },
      cpu_millis: { promised: 2_000, real: 8_000, most: 16_000 },
      disk_mb: { promised: 32_768, real: 50_000, most: 100_000 },
      facts: { disk_mode: 'measured' },
    });
  });
});

describe('removing a node', () => {
  it('requires that it has no servers', async () => {
    const { sql } = database;
    const region = newId();
    const { id } = await node(sql, now, { region });
    const one = await server(sql, await user(sql), { region });
    await sql.begin((tx) => scheduleServer(tx, one, now));
    await setDraining(sql, id, true);
    await expect(removeNode(sql, id)).rejects.toMatchObject({ code: 'node_not_empty' });
    await sql.begin((tx) => deleteServer(tx, one));
    await expect(removeNode(sql, id)).rejects.toMatchObject({ code: 'node_not_empty' });
    // a machine that never returns cannot report that it has cleaned up
    expect(await expireNodes(sql, later(26_000))).toContain(id);
    await removeNode(sql, id);
    expect(await nodeViews(sql, now, id)).toEqual([]);
    const verbs = [
      () => removeNode(sql, id),
      () => setDraining(sql, id, true),
      () => rotateSecret(sql, id, now),
      () => reissueJoinToken(sql, id, now),
    ];
    for (const verb of verbs) await expect(verb()).rejects.toMatchObject({ code: 'node_unknown' });
  });
});

describe('a lease that reports are stored under', () => {
  it('keeps another one from being acquired, and no operation from being stored', async () => {
    const { sql } = database;
    const region = newId();
    const { id, lease } = await node(sql, now, { region });
    const server_id = await server(sql, await user(sql), { region });
    await sql.begin((tx) => scheduleServer(tx, server_id, now));
    const wish = { id: randomUUID(), server_id, node_id: id, actor_id: null, kind: 'kill', not_after: now };
    /** Gives up when it has to wait for a lock. */
    const atOnce = (work: (tx: Db) => Promise<unknown>) =>
      sql.begin(async (tx) => {
        await tx`set local lock_timeout = '200ms'`;
        return await work(tx);
      });
    await sql.begin(async (tx) => {
      await lockLease(tx, id, lease);
      expect(await atOnce((other) => createOperation(other, wish, now))).toBe(true);
      const next = { holder: 'other', boot_id: 'boot', now };
      await expect(atOnce((other) => acquireLease(other, id, next))).rejects.toThrow(/lock timeout/);
    });
  });
});
