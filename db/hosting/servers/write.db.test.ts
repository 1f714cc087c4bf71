import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../platform/id.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { node, server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { storeReports } from './observe.ts';
import { desiredByIds, serversById, serversFor, serverView } from './read.ts';
import { scheduleServer } from './schedule.ts';
import { createServer, deleteServer, renameServer, resumeServer, setPower, suspendServer } from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-21T12:00:00Z');
const inOne = <T>(work: (tx: typeof database.sql) => Promise<T>) =>
  database.sql.begin((tx) => work(tx as unknown as typeof database.sql));
const view = async (id: string) => (await serversById(database.sql, [id], now))[0]?.view;
const spec = async (id: string) => (await desiredByIds(database.sql, [id]))[0]?.spec;

/** A scheduled server, installed by default. */
async function placed({ installed = true, starts = false } = {}) {
  const { sql } = database;
  const region = newId();
  const { id: node_id, lease } = await node(sql, now, { region });
  const owner = await user(sql);
  const id = await server(sql, owner, { region, starts });
  await inOne((tx) => scheduleServer(tx, id, now));
  const report = {
    seq: 1,
    server_id: id,
    type: 'server.installed',
    at: now.toISOString(),
    data: { generation: 1 },
  };
  if (installed) await inOne((tx) => storeReports(tx, { node_id, lease, stream_id: 's' }, [report], now));
  return { id, node_id, lease, actor: actorFor(owner) };
}

describe('creating a server', () => {
  it('inserts one row per order, also when repeated', async () => {
    const { sql } = database;
    const owner = await user(sql);
    const order = {
      ...{
        id: newId(),
        order_id: newId(),
        owner_id: owner.id,
        name: '  Valley ',
        kind: 'local',
        region: 'x',
      },
      ...{ plan: 'small', ram_mb: 4_096, cpu_millis: 2_000, swap_mb: 512, disk_mb: 32_768 },
      ...{ game_version: '1.16.5', loader: null, terms_accepted: now, starts: false },
    };
    await Promise.all([createServer(sql, order), createServer(sql, order)]);
    await createServer(sql, { ...order, id: newId() });
    expect((await serversFor(sql, actorFor(owner), now)).servers).toMatchObject([
      {
        id: order.id,
        name: 'Valley',
        lifecycle: 'unprovisioned',
        state: 'installing',
        power_wanted: 'off',
        address: null,
      },
    ]);
    const refused = (given: object) =>
      createServer(sql, { ...order, id: newId(), order_id: newId(), ...given });
    await expect(refused({ name: ' ' })).rejects.toMatchObject({ code: 'server_name_length' });
    await expect(refused({ name: 'a\u0000b' })).rejects.toMatchObject({ code: 'server_name_length' });
    await expect(refused({ name: 'x'.repeat(49) })).rejects.toMatchObject({ code: 'server_name_length' });
    await expect(refused({ kind: 'other' })).rejects.toMatchObject({ code: 'server_kind_unknown' });
    await expect(refused({ game_version: '0.1' })).rejects.toMatchObject({ code: 'server_version_unknown' });
  });
});

describe('power actions', () => {
  it('are stored during the installation', async () => {
    const { id, actor } = await placed({ installed: false });
    await inOne((tx) => setPower(tx, actor, { server_id: id, op_id: randomUUID(), action: 'start' }, now));
    expect(await spec(id)).toMatchObject({ power: 'on', generation: 2 });
    const restart = { server_id: id, op_id: randomUUID(), action: 'restart' } as const;
    await expect(inOne((tx) => setPower(tx, actor, restart, now))).rejects.toMatchObject({
      code: 'server_not_ready',
    });
  });

  it('are executed once when sent twice concurrently', async () => {
    const { id, actor } = await placed();
    const input = { server_id: id, op_id: randomUUID(), action: 'restart' } as const;
    await Promise.all([1, 2, 3].map(() => inOne((tx) => setPower(tx, actor, input, now))));
    expect(await spec(id)).toMatchObject({ power: 'on', restart_seq: 1, generation: 2 });
  });

  it('carry the name of the user who asked for the last of them', async () => {
    const { id, actor } = await placed();
    expect(await spec(id)).toMatchObject({ power_by: null });
    const admin = await user(database.sql, { role: 'admin' });
    const later = new Date(now.getTime() + 1);
    const ask = (who: typeof actor, action: 'start' | 'stop', at: Date) =>
      inOne((tx) => setPower(tx, who, { server_id: id, op_id: randomUUID(), action }, at));
    await ask(actor, 'start', now);
    const [owner] = await database.sql`select username from users where id = ${actor.user_id}`;
    expect(await spec(id)).toMatchObject({ power: 'on', power_by: owner!.username });
    await ask(actorFor(admin, { role: 'admin' }), 'stop', later);
    expect(await spec(id)).toMatchObject({ power: 'off', power_by: admin.username });
  });
});

describe('the first start', () => {
  it('follows the installation by itself, once, and never after somebody stopped it', async () => {
    const { id, node_id, lease, actor } = await placed({ installed: false, starts: true });
    let seq = 0;
    const report = (type: string, data: object) => {
      const one = { seq: ++seq, server_id: id, type, at: now.toISOString(), data: { ...data } };
      return inOne((tx) => storeReports(tx, { node_id, lease, stream_id: 's' }, [one], now));
    };
    const power = (state: string) =>
      report('server.power', {
        ...{ power: state, generation: 1, epoch: 'a', started_at: null, exit_code: null },
        ...{ out_of_memory: false, last_lines: [], crash_loop: false },
      });
    const request = (action: 'start' | 'stop') =>
      inOne((tx) => setPower(tx, actor, { server_id: id, op_id: randomUUID(), action }, now));

    expect(await view(id)).toMatchObject({ setup: 'scheduling', state: 'installing' });
    await request('start'); // it starts anyway: nothing is to be installed again
    expect(await spec(id)).toMatchObject({ power: 'on', generation: 1, restart_seq: 0 });
    await report('server.installed', { generation: 1 });
    expect(await view(id)).toMatchObject({ setup: 'starting', state: 'stopped', power_wanted: 'on' });
    await power('starting');
    expect(await view(id)).toMatchObject({ setup: 'starting', state: 'starting' });
    await power('running');
    expect(await view(id)).toMatchObject({ setup: null, state: 'running', ended_at: null });
    await request('stop');
    await power('stopped');
    expect(await view(id)).toMatchObject({ ended_at: now.toISOString() });
    await report('server.installed', { generation: 2 });
    expect(await spec(id)).toMatchObject({ power: 'off' });
    expect(await view(id)).toMatchObject({ setup: null, state: 'stopped' });
  });

  it('does not happen when its owner stops it during the installation', async () => {
    const { id, node_id, lease, actor } = await placed({ installed: false, starts: true });
    await inOne((tx) => setPower(tx, actor, { server_id: id, op_id: randomUUID(), action: 'stop' }, now));
    const data = { generation: 2 };
    const report = { seq: 1, server_id: id, type: 'server.installed', at: now.toISOString(), data };
    await inOne((tx) => storeReports(tx, { node_id, lease, stream_id: 's' }, [report], now));
    expect(await spec(id)).toMatchObject({ power: 'off' });
    expect(await view(id)).toMatchObject({ lifecycle: 'ready', setup: null });
  });
});

describe('a suspension', () => {
  it('stops a server and keeps it stopped; ending it leaves it off in its previous lifecycle', async () => {
    for (const installed of [true, false]) {
      const { id, actor } = await placed({ installed });
      await inOne((tx) => setPower(tx, actor, { server_id: id, op_id: randomUUID(), action: 'start' }, now));
      await inOne((tx) => suspendServer(tx, id, 'payment_failed'));
      await inOne((tx) => suspendServer(tx, id, 'cancelled'));
      expect(await view(id)).toMatchObject({
        lifecycle: 'suspended',
        lifecycle_data: { reason: 'cancelled' },
      });
      expect(await spec(id)).toMatchObject({ suspended: true, power: 'off' });
      await inOne((tx) => resumeServer(tx, id));
      await inOne((tx) => resumeServer(tx, id));
      expect(await view(id)).toMatchObject({
        lifecycle: installed ? 'ready' : 'provisioning',
        lifecycle_data: {},
      });
      expect(await spec(id)).toMatchObject({ suspended: false, power: 'off' });
    }
  });

  it('of an unscheduled server returns to that state', async () => {
    const id = await server(database.sql, await user(database.sql), { region: 'nowhere' });
    await inOne((tx) => suspendServer(tx, id, 'trial_ended'));
    expect(await inOne((tx) => scheduleServer(tx, id, now))).toEqual({ placed: false });
    await inOne((tx) => resumeServer(tx, id));
    expect(await view(id)).toMatchObject({ lifecycle: 'unprovisioned' });
  });

  it('of a server that finishes its installation remains', async () => {
    const { id, node_id, lease } = await placed({ installed: false });
    await inOne((tx) => suspendServer(tx, id, 'moderated'));
    const report = {
      seq: 1,
      server_id: id,
      type: 'server.installed',
      at: now.toISOString(),
      data: { generation: 1 },
    };
    await inOne((tx) => storeReports(tx, { node_id, lease, stream_id: 's' }, [report], now));
    expect(await view(id)).toMatchObject({ lifecycle: 'suspended' });
    await inOne((tx) => resumeServer(tx, id));
    expect(await view(id)).toMatchObject({ lifecycle: 'ready' });
  });
});

describe('a report', () => {
  it.each(['__proto__', 'constructor', '__defineGetter__', 'unheard.of'])(
    'of the type %s is stored and changes nothing',
    async (type) => {
      const { id, node_id, lease } = await placed();
      const before = await view(id);
      const report = { seq: 2, server_id: id, type, at: now.toISOString(), data: {} };
      const from = { node_id, lease, stream_id: 's' };
      expect(await inOne((tx) => storeReports(tx, from, [report], now))).toMatchObject({
        seq: 2,
        rejected: [],
      });
      expect(await view(id)).toEqual(before);
    },
  );
});

describe('a name', () => {
  it('is sent to the node only when it changes', async () => {
    const { id, actor } = await placed();
    await inOne((tx) => renameServer(tx, actor, { server_id: id, name: ' Vale ' }, now));
    await inOne((tx) => renameServer(tx, actor, { server_id: id, name: 'Vale' }, now));
    expect(await spec(id)).toMatchObject({ name: 'Vale', generation: 2 });
  });
});

describe('deleting', () => {
  it('hides a server at once and keeps its node until its agent has cleaned up', async () => {
    const { id, actor, node_id } = await placed();
    await inOne((tx) => deleteServer(tx, id));
    await inOne((tx) => deleteServer(tx, id));
    expect(await view(id)).toBeUndefined();
    await expect(serverView(database.sql, actor, id, now)).rejects.toMatchObject({
      code: 'server_not_found',
    });
    expect(await desiredByIds(database.sql, [id])).toMatchObject([{ node_id, lifecycle: 'deprovisioning' }]);
    await expect(inOne((tx) => suspendServer(tx, id, 'other'))).rejects.toMatchObject({
      code: 'server_not_found',
    });
  });

  it('deletes an unscheduled server at once', async () => {
    const id = await server(database.sql, await user(database.sql), { region: 'nowhere' });
    await inOne((tx) => deleteServer(tx, id));
    expect(await database.sql`select 1 from servers where id = ${id}`).toHaveLength(0);
  });
});

describe('warnings', () => {
  it('are kept with the server, the newest of each kind, for a day', async () => {
    const { id, node_id, lease } = await placed();
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
    const warning = (seq: number, code: string, at: string) => ({
      ...{ seq, server_id: id, type: 'server.warning', at, data: { code, detail: '' } },
    });
    const reports = [
      warning(2, 'oom_child', hoursAgo(25)),
      warning(3, 'slow_start', hoursAgo(3)),
      warning(4, 'slow_start', hoursAgo(2)),
      warning(5, 'stop_forced', hoursAgo(1)),
    ];
    await inOne((tx) => storeReports(tx, { node_id, lease, stream_id: 's' }, reports, now));
    expect((await view(id))?.warnings).toEqual([
      { code: 'stop_forced', detail: '', at: hoursAgo(1) },
      { code: 'slow_start', detail: '', at: hoursAgo(2) },
    ]);
  });
});

describe('reports under an older lease', () => {
  it('are refused and change nothing', async () => {
    const { id, node_id, lease } = await placed();
    const report = { seq: 2, server_id: id, type: 'server.deleted', at: now.toISOString(), data: {} };
    const stale = inOne((tx) =>
      storeReports(tx, { node_id, lease: lease - 1, stream_id: 's' }, [report], now),
    );
    await expect(stale).rejects.toMatchObject({ code: 'lease_stale' });
    expect(
      await database.sql`select 1 from agent_events where node_id = ${node_id} and seq = 2`,
    ).toHaveLength(0);
  });
});
