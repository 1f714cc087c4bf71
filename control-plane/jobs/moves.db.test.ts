import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { emptyNode, giveUpNode, requestMove } from '#db/hosting/servers/moves/request.ts';
import { settleTasks } from '#db/hosting/servers/settle-tasks.ts';
import { testDatabase } from '#db/testing/database.ts';
import { ended, ofKind } from '../testing/backups.ts';
import { newNode, type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';
import { agent, powerReport, type ScriptedAgent } from '../testing/scripted-agent.ts';
import { platformBackup } from '../testing/stored-backups.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const now = () => new Date();
const facts = {
  bytes: 10,
  content_bytes: 20,
  files: 1,
  sha256: 'a'.repeat(64),
  changed: [],
  changed_count: 0,
  unchanged: false,
};

interface Pair {
  renter: RentedServer;
  other: ScriptedAgent;
  other_id: string;
}

/** A server that runs on one node, and another node of its region. */
async function twoNodes(on = true): Promise<Pair> {
  const renter = await rentServer(database.sql, plane.url);
  const [on_node] = await database.sql`select region from nodes where id = ${renter.node.id}`;
  const node = await newNode(database.sql, on_node!.region);
  const other = await agent(plane.url, { join_token: node.join_token });
  if (on) {
    await renter.screen.request('server.power', {
      server_id: renter.id,
      op_id: randomUUID(),
      action: 'start',
    });
    await running(renter);
  }
  return { renter, other, other_id: node.id };
}

const move = ({ renter }: Pair, to_node: string | null = null, drop_backups = false) =>
  database.sql.begin((tx) =>
    requestMove(
      tx,
      { id: randomUUID(), server_id: renter.id, to_node, drop_backups },
      { actor_id: null, reason: 'staff' },
      now(),
    ),
  );
const stored = async (id: string) => {
  const [row] = await database.sql`
    select s.node_id, s.lifecycle, s.power_wanted, s.lifecycle_data->>'reason' as reason,
      (select step from server_tasks where server_id = s.id and kind = 'move' order by began desc limit 1) as step,
      (select coalesce(json_agg(json_build_array(node_id, kept)), '[]') from server_copies where server_id = s.id) as copies
    from servers s where s.id = ${id}`;
  return row!;
};
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await stored(id)).toMatchObject(wanted), 20_000);

/** Stops, and saves at the platform: the server is on its way to the other node. */
async function saved({ renter }: Pair): Promise<void> {
  await vi.waitFor(() => expect(renter.runner.specs.get(renter.id)?.power).toBe('off'), 20_000);
  await renter.runner.report('server.power', renter.id, powerReport('stopped'));
  const backup = await ofKind(renter, 'backup_create');
  expect(backup.args).toMatchObject({ engine: 'archive', target: 'platform' });
  await ended(renter, backup, 'done', facts);
}
/** Installed on the other node, its files are to be restored there. */
async function arrived({ renter, other, other_id }: Pair) {
  await becomes(renter.id, { node_id: other_id });
  await vi.waitFor(() => expect(other.specs.get(renter.id)?.power).toBe('off'), 20_000);
  const { generation } = other.specs.get(renter.id)!;
  await other.report('server.installed', renter.id, { generation });
  return await ofKind({ runner: other }, 'backup_restore');
}

describe('a move', () => {
  it('takes a running server to another node with its files, starts it there and removes what is left', async () => {
    const pair = await twoNodes();
    const { renter, other, other_id } = pair;
    await move(pair);
    const refused = await renter.screen.request('server.power', {
      ...{ server_id: renter.id, op_id: randomUUID(), action: 'start' },
    });
    expect(refused).toMatchObject({ ok: false, error: 'server_moving' });
    await saved(pair);
    const restore = await arrived(pair);
    // the node it left keeps its files, off
    expect((await stored(renter.id)).copies).toEqual([[renter.node.id, true]]);
    expect(renter.runner.deleted).toEqual([]);
    expect(other.specs.get(renter.id)?.power).toBe('off');
    await other.report('operation.ended', renter.id, { op_id: restore.op_id, state: 'done', result: {} });
    await becomes(renter.id, { step: 'done', lifecycle: 'ready', power_wanted: 'on', node_id: other_id });
    await vi.waitFor(() => expect(other.specs.get(renter.id)?.power).toBe('on'), 20_000);
    await vi.waitFor(() => expect(renter.runner.deleted).toEqual([renter.id]), 20_000);
    await renter.runner.report('server.deleted', renter.id, {});
    await becomes(renter.id, { copies: [], node_id: other_id, lifecycle: 'ready' });
  });

  it('goes back to the node that it left, whose agent removed it meanwhile', async () => {
    const pair = await twoNodes(false);
    const { renter, other, other_id } = pair;
    const done = { state: 'done', result: {} };
    await move(pair);
    await saved(pair);
    const there = await arrived(pair);
    await other.report('operation.ended', renter.id, { op_id: there.op_id, ...done });
    await vi.waitFor(() => expect(renter.runner.deleted).toEqual([renter.id]), 20_000);
    renter.runner.specs.delete(renter.id);
    await renter.runner.report('server.deleted', renter.id, {});
    await becomes(renter.id, { copies: [], step: 'done', node_id: other_id });

    await move(pair);
    const backup = await ofKind({ runner: other }, 'backup_create');
    await other.report('operation.ended', renter.id, { op_id: backup.op_id, state: 'done', result: facts });
    await becomes(renter.id, { node_id: renter.node.id });
    await vi.waitFor(() => expect(renter.runner.specs.get(renter.id)?.power).toBe('off'), 20_000);
    const { generation } = renter.runner.specs.get(renter.id)!;
    await renter.runner.report('server.installed', renter.id, { generation });
    const back = await ofKind(renter, 'backup_restore');
    await renter.runner.report('operation.ended', renter.id, { op_id: back.op_id, ...done });
    await becomes(renter.id, { step: 'done', node_id: renter.node.id });
  });

  it('whose files do not arrive goes back, and starts again where it was', async () => {
    const pair = await twoNodes();
    const { renter, other, other_id } = pair;
    await move(pair, other_id);
    await saved(pair);
    const restore = await arrived(pair);
    const result = { error: 'backup_damaged', retryable: false };
    await other.report('operation.ended', renter.id, { op_id: restore.op_id, state: 'failed', result });
    await becomes(renter.id, {
      ...{ step: 'failed', lifecycle: 'ready', power_wanted: 'on', node_id: renter.node.id },
      copies: [[other_id, false]],
    });
    await vi.waitFor(() => expect(renter.runner.specs.get(renter.id)?.power).toBe('on'), 20_000);
    await vi.waitFor(() => expect(other.deleted).toEqual([renter.id]), 20_000);
  });

  it('whose backup fails never leaves its node', async () => {
    const pair = await twoNodes();
    const { renter } = pair;
    await move(pair);
    await vi.waitFor(() => expect(renter.runner.specs.get(renter.id)?.power).toBe('off'), 20_000);
    await renter.runner.report('server.power', renter.id, powerReport('stopped'));
    const backup = await ofKind(renter, 'backup_create');
    await ended(renter, backup, 'failed', { error: 'disk_full', retryable: true });
    await becomes(renter.id, { step: 'failed', node_id: renter.node.id, power_wanted: 'on', copies: [] });
  });

  it('is refused twice, without another node, and while only its node has backups', async () => {
    const pair = await twoNodes(false);
    const { renter } = pair;
    const code = (promise: Promise<unknown>) =>
      promise.then(
        () => null,
        (error) => error.code,
      );
    expect(await code(move(pair, renter.node.id))).toBe('node_same');
    expect(await code(move(pair, 'unknown1'))).toBe('node_unknown');
    await platformBackup(database.sql, renter.id, { state: 'done', target: 'node' });
    expect(await code(move(pair))).toBe('backups_on_node');
    const both = await Promise.all([code(move(pair, null, true)), code(move(pair, pair.other_id, true))]);
    expect(both.sort()).toEqual(['server_moving', null].sort());
    await saved(pair);
  });

  it('waits in line when its node is emptied, and the node gets no new servers', async () => {
    const pair = await twoNodes(false);
    const { renter } = pair;
    const emptied = await database.sql.begin((tx) =>
      emptyNode(tx, renter.node.id, { actor_id: null, drop_backups: false }, now()),
    );
    expect(emptied).toEqual({ moving: 1, staying: [] });
    const [node] = await database.sql`select draining from nodes where id = ${renter.node.id}`;
    expect(node).toEqual({ draining: true });
    await saved(pair);
    const restore = await arrived(pair);
    await pair.other.report('operation.ended', renter.id, {
      op_id: restore.op_id,
      state: 'done',
      result: {},
    });
    await becomes(renter.id, { step: 'done', node_id: pair.other_id, power_wanted: 'off' });
  });
});

describe('a node that is lost', () => {
  const giveUp = (id: string) => database.sql.begin((tx) => giveUpNode(tx, id, null, now()));

  it('leaves its servers to other nodes where there is a backup elsewhere, and suspends the others', async () => {
    const pair = await twoNodes();
    const { renter, other, other_id } = pair;
    await expect(giveUp(renter.node.id)).rejects.toMatchObject({ code: 'node_online' });
    const backup = await platformBackup(database.sql, renter.id, { state: 'done', sha256: 'b'.repeat(64) });
    renter.runner.close();
    await vi.waitFor(async () => {
      await database.sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
      expect(await giveUp(renter.node.id)).toEqual({ rescued: 1, lost: 0 });
    }, 20_000);
    const restore = await arrived(pair);
    expect(restore.args).toMatchObject({ backup_id: backup });
    await other.report('operation.ended', renter.id, { op_id: restore.op_id, state: 'done', result: {} });
    await becomes(renter.id, { step: 'done', node_id: other_id, power_wanted: 'on' });
    const [told] =
      await database.sql`select data from events where name = 'server.rescued' and server_id = ${renter.id}`;
    expect(told).toMatchObject({ data: { state_of: expect.stringContaining('20') } });

    const without = await twoNodes();
    without.renter.runner.close();
    await database.sql`update nodes set status = 'offline' where id = ${without.renter.node.id}`;
    expect(await giveUp(without.renter.node.id)).toEqual({ rescued: 0, lost: 1 });
    expect(await stored(without.renter.id)).toMatchObject({
      lifecycle: 'suspended',
      reason: 'lost',
      node_id: null,
    });
  });
});

it('goes on wherever a control plane stopped: each step is made once', async () => {
  const pair = await twoNodes(false);
  const { renter } = pair;
  const { settings } = database;
  const settle = () =>
    Promise.all(
      Array.from({ length: 5 }, () => settleTasks(database.sql, renter.id, { settings, runs: null }, now())),
    );
  await move(pair);
  await settle();
  await saved(pair);
  await settle();
  await arrived(pair);
  await settle();
  expect(renter.runner.operations.filter(({ kind }) => kind === 'backup_create')).toHaveLength(1);
  expect(pair.other.operations.filter(({ kind }) => kind === 'backup_restore')).toHaveLength(1);
});

afterAll(async () => {
  await database.sql`delete from server_tasks`;
});
