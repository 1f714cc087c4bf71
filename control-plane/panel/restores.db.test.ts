import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { backUpBefore } from '#db/hosting/servers/backups/schedule.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { settleServersJob } from '../jobs/settle-servers.ts';
import {
  backupsOf,
  becomes,
  begun,
  ended,
  eventsOf,
  made,
  madeBackup,
  ofKind,
  stored,
} from '../testing/backups.ts';
import { browser } from '../testing/clients.ts';
import {
  newNode,
  type RentedServer,
  rentServer,
  running,
  serverOf,
  startControlPlane,
  testControlPlane,
} from '../testing/plane.ts';
import { agent, powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const errorOf = (answer: { ok: boolean; error?: string }) => (answer.ok ? null : answer.error);
const restore = ({ screen, id }: RentedServer, backup_id: string, given: object = {}) =>
  screen.request('backups.restore', {
    ...{ server_id: id, backup_id, op_id: randomUUID(), safety: false, stop: false, ...given },
  });
const power = ({ screen, id }: RentedServer, action: 'start' | 'stop' | 'kill') =>
  screen.request('server.power', { server_id: id, op_id: randomUUID(), action });
const stopped = ({ runner, id }: Pick<RentedServer, 'runner' | 'id'>) =>
  runner.report('server.power', id, powerReport('stopped'));
const wanted = ({ runner, id }: Pick<RentedServer, 'runner' | 'id'>) => runner.specs.get(id)?.power;

/** A server that runs because its owner started it, with a backup. */
async function live(): Promise<{ renter: RentedServer; backup: string }> {
  const renter = await rent();
  await power(renter, 'start');
  await running(renter);
  return { renter, backup: await made(renter) };
}

describe('a restore', () => {
  it('of a stopped server replaces its files, once', async () => {
    const renter = await rent();
    const backup = await made(renter);
    const op_id = randomUUID();
    const answers = await Promise.all([
      restore(renter, backup, { op_id }),
      restore(renter, backup, { op_id }),
    ]);
    expect(answers.map(errorOf)).toEqual([null, null]);
    const operation = await ofKind(renter, 'backup_restore');
    expect(operation).toMatchObject({
      op_id,
      args: { backup_id: backup, engine: 'archive', target: 'node' },
    });
    expect(operation.args).not.toHaveProperty('source_id');
    await becomes(renter, backup, { state: 'restoring' });
    expect(errorOf(await power(renter, 'start'))).toBe('server_busy');
    await ended(renter, operation, 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done', error: null });
    expect(wanted(renter)).toBe('off');
    expect(errorOf(await power(renter, 'start'))).toBeNull();
    expect(errorOf(await restore(renter, backup, { op_id: randomUUID() }))).toBe('server_still_running');
    expect(renter.runner.operations.filter(({ kind }) => kind === 'backup_restore')).toHaveLength(1);
  });

  it('of a running server stops it, makes a safety backup, restores and starts it again', async () => {
    const { renter, backup } = await live();
    expect(errorOf(await restore(renter, backup))).toBe('server_still_running');
    expect(errorOf(await restore(renter, backup, { stop: true, safety: true }))).toBeNull();
    await becomes(renter, backup, { state: 'restoring' });
    await expect.poll(() => wanted(renter)).toBe('off');
    // nothing is done to the files of a server that runs
    expect(renter.runner.operations.map(({ kind }) => kind)).toEqual(['backup_create']);
    expect(
      errorOf(await renter.screen.request('backups.create', { server_id: renter.id, op_id: randomUUID() })),
    ).toBe('backup_in_progress');
    await stopped(renter);
    await expect.poll(() => renter.runner.operations.length).toBe(2);
    const safety = renter.runner.operations[1]!;
    expect(safety.kind).toBe('backup_create');
    await becomes(renter, String(safety.args.backup_id), {
      automated: true,
      reason: 'safety',
      name: 'Backup #2',
    });
    await ended(renter, safety, 'done', madeBackup());
    const operation = await ofKind(renter, 'backup_restore');
    expect(wanted(renter)).toBe('off');
    await ended(renter, operation, 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done' });
    await expect.poll(() => wanted(renter)).toBe('on');
    expect(await eventsOf(database.sql, renter.id, 'server.backup_restore%')).toEqual([
      'server.backup_restore_requested',
      'server.backup_restored',
    ]);
  });

  it('that fails leaves the old files, says why and starts the server', async () => {
    const { renter, backup } = await live();
    await restore(renter, backup, { stop: true });
    await stopped(renter);
    const operation = await ofKind(renter, 'backup_restore');
    await ended(renter, operation, 'failed', { error: 'disk_full' });
    await becomes(renter, backup, { state: 'done', error: { code: 'disk_full', retryable: true } });
    await expect.poll(() => wanted(renter)).toBe('on');
  });

  it('of a damaged backup marks it', async () => {
    const renter = await rent();
    const backup = await made(renter);
    await restore(renter, backup);
    await ended(renter, await ofKind(renter, 'backup_restore'), 'failed', { error: 'backup_damaged' });
    await becomes(renter, backup, { state: 'damaged', error: { code: 'backup_damaged', retryable: false } });
  });

  it('does not begin without its safety backup', async () => {
    const { renter, backup } = await live();
    await restore(renter, backup, { stop: true, safety: true });
    await stopped(renter);
    await expect.poll(() => renter.runner.operations.length).toBe(2);
    await ended(renter, renter.runner.operations[1]!, 'failed', { error: 'disk_full' });
    await becomes(renter, backup, { state: 'done', error: { code: 'disk_full' } });
    await expect.poll(() => wanted(renter)).toBe('on');
    expect(renter.runner.operations.some(({ kind }) => kind === 'backup_restore')).toBe(false);
  });

  it('makes room for its safety backup first, and is refused without', async () => {
    const renter = await rent();
    const [oldest] = (await stored(database.sql, renter.id, 1, { reason: 'schedule', name: 'Auto' })) as [
      string,
    ];
    await database.sql`update server_backups set created = created - interval '30 days' where id = ${oldest}`;
    const manual = await stored(database.sql, renter.id, 14);
    // the only automated one is the one to restore
    expect(errorOf(await restore(renter, oldest, { safety: true }))).toBe('backups_too_many');
    expect(errorOf(await restore(renter, manual[0]!, { safety: true }))).toBeNull();
    await becomes(renter, oldest, { state: 'deleting' });
    const safety = await ofKind(renter, 'backup_create');
    // the agent does one thing at a time: the deletion waits
    expect(renter.runner.operations).toHaveLength(1);
    await ended(renter, safety, 'done', madeBackup());
    await ended(renter, await ofKind(renter, 'backup_restore'), 'done', { files: 3, content_bytes: 1_000 });
    await ended(renter, await ofKind(renter, 'backup_delete'), 'done');
    await expect.poll(async () => (await backupsOf(renter)).length).toBe(15);
  });

  it('can be canceled in each step', async () => {
    const { renter, backup } = await live();
    const { runner, screen, id: server_id } = renter;
    const cancel = () => screen.request('backups.cancel', { server_id, backup_id: backup });
    const canceled = async () => {
      await becomes(renter, backup, { state: 'done', error: null });
      await expect.poll(() => wanted(renter)).toBe('on');
      await running(renter);
    };
    // while the server stops
    await restore(renter, backup, { stop: true, safety: true });
    expect(await cancel()).toEqual({ ok: true });
    await canceled();
    // while the safety backup is made
    await restore(renter, backup, { stop: true, safety: true });
    await stopped(renter);
    await expect.poll(() => runner.operations.length).toBe(2);
    await cancel();
    await ofKind(renter, 'backup_cancel');
    await ended(renter, runner.operations[1]!, 'failed', { error: 'cancelled' });
    await canceled();
    // while the files are replaced
    runner.operations.length = 0;
    await restore(renter, backup, { stop: true });
    await stopped(renter);
    const operation = await ofKind(renter, 'backup_restore');
    await cancel();
    expect((await ofKind(renter, 'backup_cancel')).args).toEqual({ op_id: operation.op_id });
    await ended(renter, operation, 'failed', { error: 'cancelled' });
    await canceled();
  });

  it('does not start what its owner stopped meanwhile, and ends with a suspension', async () => {
    const { renter, backup } = await live();
    await restore(renter, backup, { stop: true });
    expect(errorOf(await power(renter, 'stop'))).toBeNull();
    await stopped(renter);
    await ended(renter, await ofKind(renter, 'backup_restore'), 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done' });
    expect(wanted(renter)).toBe('off');

    const second = await live();
    await restore(second.renter, second.backup, { stop: true });
    await database.sql.begin((tx) => suspendServer(tx, second.renter.id, 'moderated'));
    await becomes(second.renter, second.backup, { state: 'done', error: { code: 'server_suspended' } });
  });

  it('gives up on a server that does not stop', async () => {
    const { renter, backup } = await live();
    await restore(renter, backup, { stop: true });
    await database.sql`
      update server_tasks set step_until = now() - interval '1 second' where backup_id = ${backup}`;
    await becomes(renter, backup, {
      state: 'done',
      error: { code: 'server_still_running', retryable: true },
    });
    await expect.poll(() => wanted(renter)).toBe('on');
  });
});

describe('a restore to another server', () => {
  it('is made by the agent of both', async () => {
    const renter = await rent();
    const backup = await made(renter);
    const [{ region } = { region: '' }] = await database.sql<{ region: string }[]>`
      select region from servers where id = ${renter.id}`;
    const to = await serverOf(database.sql, renter.runner, renter.owner, region);
    expect(errorOf(await restore(renter, backup, { to, safety: true }))).toBeNull();
    const safety = renter.runner.operations.find(({ server_id }) => server_id === to);
    expect(safety ?? (await ofKind({ runner: renter.runner }, 'backup_create'))).toBeDefined();
    await expect.poll(() => renter.runner.operations.filter((one) => one.server_id === to)).toHaveLength(1);
    const made_for = renter.runner.operations.find(({ server_id }) => server_id === to)!;
    await ended(renter, made_for, 'done', madeBackup());
    const operation = await ofKind(renter, 'backup_restore');
    expect(operation).toMatchObject({ server_id: to, args: { backup_id: backup, source_id: renter.id } });
    const busy = { server_id: to, op_id: randomUUID() };
    expect(errorOf(await renter.screen.request('backups.create', busy))).toBe('backup_in_progress');
    await ended(renter, operation, 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done' });
    expect(await backupsOf({ screen: renter.screen, id: to })).toMatchObject([{ reason: 'safety' }]);
  });

  it('is refused when that has less disk, is elsewhere or somebody else’s, and ends with that server', async () => {
    const renter = await rent();
    const backup = await made(renter);
    const [{ region } = { region: '' }] = await database.sql<{ region: string }[]>`
      select region from servers where id = ${renter.id}`;
    const to = await serverOf(database.sql, renter.runner, renter.owner, region);
    const elsewhere = await newNode(database.sql, randomUUID());
    const set = (fields: Record<string, string | number>) =>
      database.sql`update servers set ${database.sql(fields)} where id = ${to}`;
    await set({ disk_mb: 1_024 });
    const smaller = await restore(renter, backup, { to });
    expect(smaller).toMatchObject({
      error: 'backup_disk_smaller',
      description: expect.stringContaining('1 GB'),
    });
    await set({ disk_mb: 99_000, node_id: elsewhere.id });
    // a node that never had an agent is away
    expect(errorOf(await restore(renter, backup, { to }))).toBe('server_unreachable');
    await database.sql`update nodes set status = 'online', last_seen = now() where id = ${elsewhere.id}`;
    expect(errorOf(await restore(renter, backup, { to }))).toBe('backup_other_node');
    await set({ node_id: renter.node.id });
    const other = await rent();
    expect(errorOf(await restore(renter, backup, { to: other.id }))).toBe('server_not_found');

    expect(errorOf(await restore(renter, backup, { to }))).toBeNull();
    await ofKind(renter, 'backup_restore');
    await renter.screen.request('server.delete', { server_id: to });
    await renter.runner.report('server.deleted', to, {});
    await becomes(renter, backup, { state: 'done' });
  });
});

describe('a restore to a server on another node', () => {
  /** Another server of the owner, on a node of its own with an agent. */
  async function elsewhere({ owner }: RentedServer) {
    const region = randomUUID();
    const node = await newNode(database.sql, region);
    const runner = await agent(plane.url, { join_token: node.join_token });
    return { node, runner, id: await serverOf(database.sql, runner, owner, region) };
  }
  const kept = (backup: string, target: string, store: string | null = null) =>
    database.sql`update server_backups set target = ${target}, store = ${store} where id = ${backup}`;

  it('is made by the agent there when the backup is at the platform', async () => {
    const renter = await rent();
    const backup = await made(renter);
    const other = await elsewhere(renter);
    expect(errorOf(await restore(renter, backup, { to: other.id }))).toBe('backup_other_node');
    await kept(backup, 'platform');
    // its own node is lost
    renter.runner.close();
    await database.sql`update nodes set status = 'offline' where id = ${renter.node.id}`;
    expect(errorOf(await restore(renter, backup, { to: other.id }))).toBeNull();
    const operation = await ofKind(other, 'backup_restore');
    expect(operation).toMatchObject({
      server_id: other.id,
      args: { target: 'platform', source_id: renter.id },
    });
    await ended(other, operation, 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done' });
  });

  it('is made when both have the store that the backup is in', async () => {
    const renter = await rent();
    const backup = await made(renter);
    const other = await elsewhere(renter);
    await kept(backup, 's3', 'store one');
    const has = (store: string) =>
      database.sql`
        update nodes set facts = facts || ${database.sql.json({ backup_store: store })} where id = ${other.node.id}`;
    await has('store two');
    expect(errorOf(await restore(renter, backup, { to: other.id }))).toBe('backup_other_node');
    await has('store one');
    expect(errorOf(await restore(renter, backup, { to: other.id }))).toBeNull();
    await ofKind(other, 'backup_restore');
  });

  it('is not needed to delete a backup at the platform whose node is lost', async () => {
    const renter = await rent();
    const backup = await made(renter);
    await kept(backup, 'platform');
    renter.runner.close();
    const deleted = await renter.screen.request('backups.delete', {
      server_id: renter.id,
      backup_ids: [backup],
    });
    expect(errorOf(deleted)).toBeNull();
    expect(await backupsOf(renter)).toEqual([]);
    const remains = await database.sql`select 1 from backup_remains where backup_id = ${backup}`;
    expect(remains).toHaveLength(1);
  });
});

describe('a restore whose control plane ends', () => {
  it('goes on with another one, from each step', async () => {
    const { renter, backup } = await live();
    const { node, key, id } = renter;
    const first = await startControlPlane(database.sql);
    let planes = first;
    let { runner } = renter;
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const held = { [id]: { generation: 1, hash: '' } };
    /** Ends the plane with the agent; the next one knows nothing but the database. */
    const killed = async () => {
      runner.close();
      await planes.close();
      planes = await startControlPlane(database.sql);
      runner = await agent(planes.url, shown, held, runner);
    };
    runner.close();
    runner = await agent(first.url, shown, held, runner);
    const screen = await browser(first.url, { token: key });
    await restore({ ...renter, screen }, backup, { stop: true, safety: true });
    await killed();
    await stopped({ runner, id });
    const safety = await ofKind({ runner }, 'backup_create');
    await killed();
    // sent again: it has not ended
    expect((await ofKind({ runner }, 'backup_create')).op_id).toBe(safety.op_id);
    await ended({ runner }, safety, 'done', madeBackup());
    const operation = await ofKind({ runner }, 'backup_restore');
    await killed();
    expect((await ofKind({ runner }, 'backup_restore')).op_id).toBe(operation.op_id);
    await ended({ runner }, operation, 'done', { files: 3, content_bytes: 1_000 });
    await becomes(renter, backup, { state: 'done', error: null });
    await expect.poll(() => wanted({ runner, id })).toBe('on');
    expect(await eventsOf(database.sql, id, 'server.backup_restored')).toHaveLength(1);
    await planes.close();
  });

  it('is settled by a job when no plane heard of its end', async () => {
    const renter = await rent();
    const backup = await made(renter);
    await restore(renter, backup);
    const { op_id } = await ofKind(renter, 'backup_restore');
    const { sql } = database;
    // without a notification
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update server_operations set state = 'done', ended = now(), result = '{}' where id = ${op_id}`;
    });
    const { settings, now } = plane.plane.context;
    expect(await settleServersJob.run({ sql, settings, now } as never, {})).toBeDefined();
    expect((await backupsOf(renter))[0]).toMatchObject({ state: 'done', error: null });
  });
});

it('makes a backup before a risky change, which rotation may delete later', async () => {
  const renter = await rent();
  const actor = actorFor(renter.owner);
  const { settings, now } = plane.plane.context;
  const wish = { server_id: renter.id, before: 'reinstall' };
  const id = await database.sql.begin((tx) => backUpBefore(tx, actor, wish, settings, now()));
  await becomes(renter, id, { automated: true, reason: 'safety' });
  await ended(renter, await ofKind(renter, 'backup_create'), 'done', madeBackup());
  await becomes(renter, id, { state: 'done' });
  await begun(renter);
  const again = database.sql.begin((tx) => backUpBefore(tx, actor, wish, settings, now()));
  await expect(again).rejects.toMatchObject({ code: 'backup_in_progress' });
});
