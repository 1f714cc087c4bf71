import { describe, expect, it } from 'vitest';
import { availableCapacity } from '../../../money/billing/capacity.ts';
import { actorFor, user } from '../../../testing/builders/build.ts';
import { node, server } from '../../../testing/builders/hosting.ts';
import { testDatabase } from '../../../testing/database.ts';
import { nodeViews } from '../../nodes/read.ts';
import { storeReports } from '../observe.ts';
import { desiredByIds } from '../read.ts';
import { scheduleServer } from '../schedule.ts';
import { sizeOf } from '../sizes.ts';
import { deleteServer } from '../write.ts';
import { addPort, removePort } from './ports.ts';

const database = testDatabase();
const now = new Date('2026-11-21T12:00:00Z');

/** An owner with servers on a node of so many ports. */
async function rent(region: string, { ports, servers = 1 }: { ports: [number, number]; servers?: number }) {
  const { sql } = database;
  const machine = await node(sql, now, { region, ports, facts: { ram_mb: 100_000, cpu_millis: 100_000 } });
  const owner = await user(sql);
  const place = async () => {
    const id = await server(sql, owner, { region });
    return { id, ...(await sql.begin((tx) => scheduleServer(tx, id, now))) };
  };
  const placed = [];
  for (let n = 0; n < servers; n++) placed.push(await place());
  const add = (server_id: string, name: string) =>
    sql.begin((tx) => addPort(tx, actorFor(owner), { server_id, name }, now));
  const remove = (server_id: string, port: number) =>
    sql.begin((tx) => removePort(tx, actorFor(owner), { server_id, port }, now));
  let seq = 0;
  const report = (server_id: string, power: string, generation: number) =>
    sql.begin((tx) => {
      const data = {
        ...{ power, generation, epoch: null, started_at: null, exit_code: null, out_of_memory: false },
        ...{ last_lines: [], crash_loop: false, restart_at: null },
      };
      const event = { seq: ++seq, server_id, type: 'server.power', at: now.toISOString(), data };
      const from = { node_id: machine.id, lease: machine.lease, stream_id: 'one' };
      return storeReports(tx, from, [event], now);
    });
  const portsOf = async (id: string) => (await desiredByIds(sql, [id]))[0]!.spec.extra_ports;
  return { node: machine, owner, ids: placed.map(({ id }) => id), place, add, remove, report, portsOf };
}

describe('ports of servers', () => {
  it('come from the range of the node, lowest first, and count against its capacity', async () => {
    const { sql } = database;
    const region = 'central-europe';
    const { node: machine, ids, add, place } = await rent(region, { ports: [31_000, 31_003] });
    expect(await add(ids[0]!, 'Map')).toBe(31_001);
    expect(await add(ids[0]!, 'Voice')).toBe(31_002);
    expect((await nodeViews(sql, now, machine.id))[0]!.ports).toEqual({ used: 3, all: 4 });
    expect((await availableCapacity(sql, sizeOf(4), now))[region]).toBe(1);
    expect(await place()).toMatchObject({ placed: true, port: 31_003 });
    expect(await place()).toMatchObject({ placed: false });
    await expect(add(ids[0]!, 'More')).rejects.toMatchObject({ code: 'node_ports_used' });
  });

  it('are never given twice, with many that ask at the same time', async () => {
    const { ids, add, place } = await rent('rush', { ports: [31_100, 31_109], servers: 3 });
    const asked = await Promise.allSettled([
      ...ids.flatMap((id) => ['a', 'b', 'c'].map((name) => add(id, name))),
      place(),
    ]);
    const ports = asked.flatMap((one) =>
      one.status === 'fulfilled'
        ? [typeof one.value === 'number' ? one.value : (one.value as { port?: number }).port]
        : [],
    );
    const given = ports.filter((port) => port !== undefined);
    expect(given).toHaveLength(7);
    expect(new Set(given).size).toBe(7);
  });

  it('never are the port of another server, by the database itself', async () => {
    const { sql } = database;
    const { node: machine, ids, add } = await rent('own', { ports: [31_200, 31_210], servers: 2 });
    const port = await add(ids[0]!, 'Map');
    await expect(sql`update servers set port = ${port} where id = ${ids[1]!}`).rejects.toMatchObject({
      code: '23505',
    });
    await expect(
      sql`insert into server_ports ${sql({ node_id: machine.id, port: 31_201, server_id: ids[0]!, name: 'x' })}`,
    ).rejects.toMatchObject({ code: '23505' });
  });

  it('skip the number that the game has inside its container', async () => {
    const { ids, add } = await rent('inside', { ports: [25_564, 25_566] });
    expect(await add(ids[0]!, 'Map')).toBe(25_566);
  });

  it('stay with a process until it ends, and come back to their server before', async () => {
    const { ids, add, remove, report, portsOf } = await rent('release', {
      ports: [31_300, 31_303],
      servers: 2,
    });
    const [one, other] = ids as [string, string];
    const port = await add(one, 'Map');
    await report(one, 'running', 2);
    await remove(one, port);
    expect(await portsOf(one)).toEqual([]);
    expect(await add(other, 'Map')).toBe(31_303);
    await expect(add(other, 'Voice')).rejects.toMatchObject({ code: 'node_ports_used' });
    // its own is taken back
    expect(await add(one, 'Map again')).toBe(port);
    await remove(one, port);
    // an older process that only tells how it is frees nothing, one that knows of the removal does
    await report(one, 'starting', 4);
    await expect(add(other, 'Voice')).rejects.toMatchObject({ code: 'node_ports_used' });
    await report(one, 'starting', 5);
    expect(await add(other, 'Voice')).toBe(port);
    expect(await portsOf(other)).toEqual([port, 31_303]);
  });

  it('are refused beyond 15, without a name, and where the agent is too old', async () => {
    const { sql } = database;
    const { node: machine, ids, add, remove } = await rent('limits', { ports: [31_400, 31_430] });
    const id = ids[0]!;
    for (let n = 1; n <= 15; n++) await add(id, `Port ${n}`);
    await expect(add(id, 'Port 16')).rejects.toMatchObject({ code: 'ports_too_many' });
    await remove(id, 31_405);
    await expect(add(id, ' port 1 ')).rejects.toMatchObject({ code: 'port_name_taken' });
    await expect(add(id, 'x'.repeat(33))).rejects.toMatchObject({ code: 'port_name_invalid' });
    await expect(remove(id, 31_405)).rejects.toMatchObject({ code: 'port_unknown' });
    await expect(remove(id, 31_400)).rejects.toMatchObject({ code: 'port_unknown' });
    await sql`update nodes set facts = facts || '{"protocol": 0}' where id = ${machine.id}`;
    await expect(add(id, 'Map')).rejects.toMatchObject({ code: 'agent_outdated' });
  });

  it('go with their server', async () => {
    const { sql } = database;
    const { node: machine, ids, add } = await rent('gone', { ports: [31_500, 31_509] });
    await add(ids[0]!, 'Map');
    await sql.begin((tx) => deleteServer(tx, ids[0]!));
    await sql.begin((tx) =>
      storeReports(
        tx,
        { node_id: machine.id, lease: machine.lease, stream_id: 'one' },
        [{ seq: 1, server_id: ids[0]!, type: 'server.deleted', at: now.toISOString(), data: {} }],
        now,
      ),
    );
    expect(await sql`select 1 from server_ports where node_id = ${machine.id}`).toHaveLength(0);
  });
});
