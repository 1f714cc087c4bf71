import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createOperation } from '#db/hosting/servers/operations/operations.ts';
import { serversById } from '#db/hosting/servers/read.ts';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { deleteServer } from '#db/hosting/servers/write.ts';
import { newId } from '#db/platform/id.ts';
import { user } from '#db/testing/builders/build.ts';
import { node, server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { jobs } from './all.ts';
import type { JobContext } from './define.ts';

const database = testDatabase();
const start = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const at = (now: Date) =>
  ({ sql: database.sql, log: pino({ level: 'silent' }), now: () => now }) as unknown as JobContext;
const lifecycle = async (id: string) => (await serversById(database.sql, [id], start))[0]?.view.lifecycle;

describe('servers without capacity', () => {
  it('get what a deleted one frees, oldest first, by however many processes', async () => {
    const { sql } = database;
    const region = newId();
    await node(sql, start, { region, facts: { ram_mb: 4_096 } });
    const owner = await user(sql);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await server(sql, owner, { region }));
      await sql`update servers set created = ${later(i * 1000)} where id = ${ids[i]!}`;
    }
    for (const id of ids) await sql.begin((tx) => scheduleServer(tx, id, start));
    await jobs.schedule_servers.run(at(start), {});
    expect(await Promise.all(ids.map(lifecycle))).toEqual(['provisioning', 'unprovisioned', 'unprovisioned']);
    await sql.begin((tx) => deleteServer(tx, ids[0]!));
    await sql`delete from servers where id = ${ids[0]!}`;
    await Promise.all([jobs.schedule_servers.run(at(start), {}), jobs.schedule_servers.run(at(start), {})]);
    expect(await Promise.all(ids.map(lifecycle))).toEqual([undefined, 'provisioning', 'unprovisioned']);
  });
});

describe('scheduled jobs of hosting', () => {
  it('mark a node offline after 25 seconds, once', async () => {
    const { id } = await node(database.sql, start);
    expect(await jobs.expire_nodes.run(at(later(24_000)), {})).toBeUndefined();
    expect(await jobs.expire_nodes.run(at(later(26_000)), {})).toMatchObject({
      nodes: expect.arrayContaining([id]),
    });
    expect(await jobs.expire_nodes.run(at(later(26_000)), {})).toBeUndefined();
  });

  it('end operations that no agent accepted in time, or ended within a day', async () => {
    const { sql } = database;
    const region = newId();
    const { id: node_id } = await node(sql, start, { region });
    const server_id = await server(sql, await user(sql), { region });
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    for (const id of ids)
      await createOperation(
        sql,
        { id, server_id, node_id, actor_id: null, kind: 'kill', not_after: later(60_000) },
        start,
      );
    await sql`update server_operations set state = 'accepted' where id = ${ids[1]!}`;
    const states = async () =>
      (
        await sql<
          { state: string }[]
        >`select state from server_operations where id = any(${ids}) order by id = ${ids[1]!}`
      ).map(({ state }) => state);
    await jobs.expire_operations.run(at(later(59_000)), {});
    expect(await states()).toEqual(['waiting', 'accepted']);
    await jobs.expire_operations.run(at(later(61_000)), {});
    expect(await states()).toEqual(['expired', 'accepted']);
    await jobs.expire_operations.run(at(later(26 * 3_600_000)), {});
    expect(await states()).toEqual(['expired', 'interrupted']);
  });

  it('delete events and operations after thirty days', async () => {
    const { sql } = database;
    const { id: node_id } = await node(sql, start);
    const row = { node_id, stream_id: 's', type: 'server.warning', at: start };
    await sql`insert into agent_events ${sql([1, 2].map((seq) => ({ ...row, seq, received: later(seq * 86_400_000) })))}`;
    const kept = async () =>
      (await sql`select seq from agent_events where node_id = ${node_id}`).map(({ seq }) => seq);
    await jobs.purge_hosting.run(at(later(30 * 86_400_000)), {});
    expect(await kept()).toEqual([1, 2]);
    await jobs.purge_hosting.run(at(later(31.5 * 86_400_000)), {});
    expect(await kept()).toEqual([2]);
  });

  it('notify once more of notices that began meanwhile', async () => {
    const { sql } = database;
    const heard: string[] = [];
    const { unlisten } = await sql.listen('hosting', (what) => heard.push(what));
    await jobs.notices_due.run(at(later(10_000)), {});
    await sql`
      insert into server_notices (id, level, title, begins) values (${newId()}, 'info', 'Hi', ${start})`;
    await expect.poll(() => heard.filter((what) => what === 'notices')).toHaveLength(1);
    await jobs.notices_due.run(at(later(10_000)), {});
    await expect.poll(() => heard.filter((what) => what === 'notices')).toHaveLength(2);
    await unlisten();
  });
});
