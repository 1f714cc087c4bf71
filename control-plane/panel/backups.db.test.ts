import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expireOperations } from '#db/hosting/servers/operations/operations.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import {
  backupsOf,
  becomes,
  begun,
  ended,
  eventsOf,
  made,
  madeBackup,
  ofKind,
  operationOf,
  stored,
} from '../testing/backups.ts';
import { browser } from '../testing/clients.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const create = ({ screen, id }: RentedServer, op_id = randomUUID(), name?: string) =>
  screen.request('backups.create', { server_id: id, op_id, ...(name === undefined ? {} : { name }) });
const errorOf = (answer: { ok: boolean; error?: string }) => (answer.ok ? null : answer.error);

describe('a backup', () => {
  it('is made by the agent while the server runs, and every panel sees how far it is', async () => {
    const renter = await rent();
    await running(renter);
    await renter.screen.request('server.join', { server_id: renter.id, rooms: ['state', 'tasks'] });
    const { id, operation } = await begun(renter, '  Before the war ');
    expect(operation).toMatchObject({
      kind: 'backup_create',
      args: { backup_id: id, engine: 'archive', target: 'node', max_bytes: expect.any(Number) },
    });
    await becomes(renter, id, {
      state: 'creating',
      name: 'Before the war',
      automated: false,
      progress: null,
    });
    await database.sql`
      update server_operations set progress = ${database.sql.json({ done: 5, total: 9 })} where id = ${operation.op_id}`;
    const { received } = renter.screen;
    const progress = () => received.backups.map(({ backups }) => backups[0]?.progress);
    await expect.poll(progress).toContainEqual({ done: 5, total: 9 });
    await ended(renter, operation, 'done', madeBackup({ changed: ['logs/latest.log'], changed_count: 1 }));
    await expect
      .poll(() => received.backups.at(-1)?.backups[0])
      .toMatchObject({
        ...{ id, state: 'done', progress: null, error: null, bytes: 700, content_bytes: 1_000, files: 3 },
        ...{ changed: ['logs/latest.log'], changed_count: 1, game_version: '1.16.5', reason: 'user' },
        ended: expect.any(String),
      });
    expect(await eventsOf(database.sql, renter.id)).toEqual([
      'server.backup_requested',
      'server.backup_created',
    ]);
  });

  it('requested twice with one id is one, also at the same time', async () => {
    const renter = await rent();
    const op_id = randomUUID();
    const answers = await Promise.all([create(renter, op_id), create(renter, op_id)]);
    expect(answers[0]).toMatchObject({ ok: true, backup: { name: 'Backup #1', state: 'queued' } });
    expect(answers[1]).toMatchObject({ ok: true, backup: { name: 'Backup #1' } });
    expect(await backupsOf(renter)).toHaveLength(1);
    const other = await rent();
    expect(errorOf(await create(other, op_id))).toBe('operation_mismatch');
    expect(await backupsOf(other)).toEqual([]);
  });

  it('is one of at most 15: of two at once with 14 there, one is made', async () => {
    const renter = await rent();
    await stored(database.sql, renter.id, 14);
    const answers = await Promise.all([create(renter), create(renter)]);
    expect(answers.map(errorOf).sort()).toEqual(['backup_in_progress', null]);
    const { op_id } = await ofKind(renter, 'backup_create');
    await ended(renter, { op_id, server_id: renter.id } as never, 'done', madeBackup());
    await expect.poll(async () => (await backupsOf(renter))[0]?.state).toBe('done');
    const refused = await create(renter);
    expect(refused).toMatchObject({ ok: false, error: 'backups_too_many' });
    expect(refused.ok ? '' : refused.description).toContain('15');
    expect(renter.runner.operations).toHaveLength(1);
  });

  it('has a name of its own, in any case of letters', async () => {
    const renter = await rent();
    await stored(database.sql, renter.id, 2, { name: 'World' });
    expect(errorOf(await create(renter, randomUUID(), 'WORLD 1'))).toBe('backup_name_taken');
    expect(errorOf(await create(renter, randomUUID(), 'a\u202eb'))).toBe('backup_name_length');
    const [first] = await backupsOf(renter);
    const rename = (name: string) =>
      renter.screen.request('backups.rename', { server_id: renter.id, backup_id: first!.id, name });
    expect(errorOf(await rename('world 0'))).toBe('backup_name_taken');
    expect(errorOf(await rename(' '))).toBe('backup_name_length');
    expect(await rename('WORLD 1')).toMatchObject({ backup: { name: 'WORLD 1' } });
  });

  it('is nobody else’s', async () => {
    const renter = await rent();
    const [backup_id] = (await stored(database.sql, renter.id, 1)) as [string];
    const stranger = await user(database.sql);
    const screen = await browser(plane.url, { token: await token(database.sql, stranger) });
    const ids = { server_id: renter.id, backup_id };
    const op_id = randomUUID();
    const answers = [
      await screen.request('backups.list', { server_id: renter.id }),
      await screen.request('backups.create', { server_id: renter.id, op_id }),
      await screen.request('backups.rename', { ...ids, name: 'Mine' }),
      await screen.request('backups.lock', { ...ids, locked: true }),
      await screen.request('backups.delete', { server_id: renter.id, backup_ids: [backup_id] }),
      await screen.request('backups.restore', { ...ids, op_id, safety: false, stop: true }),
      await screen.request('backups.verify', { ...ids, op_id }),
      await screen.request('backups.cancel', ids),
      await screen.request('backups.retry', { ...ids, op_id }),
      await screen.request('backups.download', ids),
    ];
    expect(new Set(answers.map(errorOf))).toEqual(new Set(['server_not_found']));
    // a backup of another server by its id
    const other = await rent();
    const foreign = await other.screen.request('backups.verify', { server_id: other.id, backup_id, op_id });
    expect(errorOf(foreign)).toBe('backup_not_found');
  });
});

describe('the end of a backup', () => {
  it('without changes, or with a reason, is shown', async () => {
    const renter = await rent();
    await made(renter, { unchanged: true });
    const ends = [
      ['failed', { error: 'disk_full' }, { code: 'disk_full', retryable: true }],
      ['failed', { error: 'EIO' }, { code: 'operation_failed', retryable: true }],
      ['interrupted', {}, { code: 'backup_interrupted', retryable: true }],
      // an agent that lies about what it made
      ['done', { bytes: -1 }, { code: 'operation_failed', retryable: true }],
    ] as const;
    for (const [state, result, error] of ends) {
      const { id, operation } = await begun(renter);
      await ended(renter, operation, state, result);
      await becomes(renter, id, { state: 'failed', error, bytes: null });
    }
    expect((await backupsOf(renter)).map(({ state }) => state)).toEqual([
      ...Array.from({ length: 4 }, () => 'failed'),
      'unchanged',
    ]);
    renter.runner.answerOperation = () => ({ status: 'unknown_kind' });
    const refused = await create(renter);
    const id = refused.ok ? refused.backup.id : '';
    await becomes(renter, id, { state: 'failed', error: { code: 'agent_outdated', retryable: false } });
  });

  it('counts once, whichever of several reports and planes tells it', async () => {
    const renter = await rent();
    const { id, operation } = await begun(renter);
    await Promise.all(Array.from({ length: 3 }, () => ended(renter, operation, 'done', madeBackup())));
    await ended(renter, operation, 'failed', { error: 'disk_full' });
    await becomes(renter, id, { state: 'done', error: null });
    await plane.plane.idle();
    const events = await eventsOf(database.sql, renter.id, 'server.backup_created');
    expect(events).toHaveLength(1);
  });

  it('that no agent began in time is a failure, until the agent says that it did', async () => {
    const renter = await rent();
    renter.runner.answerOperation = () => ({ status: 'busy', by: 'archive' });
    const { id, operation } = await begun(renter);
    expect((await backupsOf(renter))[0]?.state).toBe('queued');
    await expireOperations(database.sql, new Date(Date.now() + 601_000));
    await becomes(renter, id, { state: 'failed', error: { code: 'server_unreachable', retryable: true } });
    await ended(renter, operation, 'done', madeBackup());
    await becomes(renter, id, { state: 'done', error: null, bytes: 700 });
  });

  it('lets what its agent was too busy for begin', async () => {
    const renter = await rent();
    const [old] = (await stored(database.sql, renter.id, 1)) as [string];
    const { screen, id: server_id, runner } = renter;
    await screen.request('backups.delete', { server_id, backup_ids: [old] });
    const deletion = await ofKind(renter, 'backup_delete');
    let asked = 0;
    runner.answerOperation = () => {
      asked += 1;
      runner.operations.pop();
      return { status: 'busy', by: 'backup_delete' };
    };
    await create(renter);
    await expect.poll(() => asked).toBe(1);
    runner.answerOperation = () => ({ status: 'accepted' });
    await ended(renter, deletion, 'done');
    // long before the plane sends everything again
    await ofKind(renter, 'backup_create');
    await expect.poll(async () => (await backupsOf(renter))[0]?.state).toBe('creating');
  });

  it('of one that failed can be tried again, under its name', async () => {
    const renter = await rent();
    const { id, operation } = await begun(renter, 'World');
    await ended(renter, operation, 'failed', { error: 'disk_full' });
    await becomes(renter, id, { state: 'failed' });
    const again = { server_id: renter.id, backup_id: id, op_id: randomUUID() };
    const answers = await Promise.all([
      renter.screen.request('backups.retry', again),
      renter.screen.request('backups.retry', again),
    ]);
    expect(answers.map(errorOf)).toEqual([null, null]);
    expect(answers[0]).toMatchObject({ backup: { id, name: 'World', error: null } });
    const second = await operationOf(renter, ({ op_id }) => op_id === again.op_id);
    await ended(renter, second, 'done', madeBackup());
    await becomes(renter, id, { state: 'done' });
    const late = await renter.screen.request('backups.retry', { ...again, op_id: randomUUID() });
    expect(errorOf(late)).toBe('backup_exists');
  });

  it('can be a cancellation: by the agent, or before it began', async () => {
    const renter = await rent();
    const cancel = (backup_id: string) =>
      renter.screen.request('backups.cancel', { server_id: renter.id, backup_id });
    const { id, operation } = await begun(renter);
    await becomes(renter, id, { state: 'creating' });
    expect(await cancel(id)).toEqual({ ok: true });
    const stop = await ofKind(renter, 'backup_cancel');
    expect(stop.args).toEqual({ op_id: operation.op_id });
    await ended(renter, stop, 'done', { was_running: true });
    await ended(renter, operation, 'failed', { error: 'cancelled' });
    await becomes(renter, id, { state: 'cancelled', error: null });
    expect(await cancel(id)).toEqual({ ok: true });

    renter.runner.answerOperation = () => ({ status: 'busy', by: 'backup_cancel' });
    const waiting = await begun(renter);
    expect(await cancel(waiting.id)).toEqual({ ok: true });
    await becomes(renter, waiting.id, { state: 'cancelled', error: null });
    // it was made after all: nobody wants it
    await ended(renter, waiting.operation, 'done', madeBackup());
    const removed = await ofKind(renter, 'backup_delete');
    expect(removed.args).toMatchObject({ backup_id: waiting.id });
    await becomes(renter, waiting.id, { state: 'cancelled' });
  });
});

describe('a backup that exists', () => {
  it('can be locked, and is not deleted then', async () => {
    const renter = await rent();
    const [a, b] = (await stored(database.sql, renter.id, 2)) as [string, string];
    const { screen, id: server_id } = renter;
    expect(await screen.request('backups.lock', { server_id, backup_id: a, locked: true })).toMatchObject({
      backup: { locked: true },
    });
    const remove = (backup_ids: string[]) => screen.request('backups.delete', { server_id, backup_ids });
    expect(errorOf(await remove([b, a]))).toBe('backup_locked');
    expect((await backupsOf(renter)).map(({ state }) => state)).toEqual(['done', 'done']);
    await screen.request('backups.lock', { server_id, backup_id: a, locked: false });
    expect(errorOf(await remove([a, 'unknown']))).toBe('backup_not_found');
  });

  it('is deleted by its agent, one after the other; one that fails stays', async () => {
    const renter = await rent();
    const [a, b, c] = (await stored(database.sql, renter.id, 3)) as [string, string, string];
    const { id: server_id, screen, runner } = renter;
    await screen.request('backups.delete', { server_id, backup_ids: [a, b] });
    expect((await backupsOf(renter)).map(({ state }) => state)).toEqual(['done', 'deleting', 'deleting']);
    const first = await operationOf(renter, ({ args }) => args.backup_id === a);
    expect(runner.operations).toHaveLength(1);
    expect(errorOf(await screen.request('backups.cancel', { server_id, backup_id: b }))).toBe(
      'backup_not_cancellable',
    );
    await ended(renter, first, 'failed', { error: 'backup_target_failed', data: { problem: 'gone' } });
    const second = await operationOf(renter, ({ args }) => args.backup_id === b);
    await becomes(renter, a, { state: 'done', error: { code: 'backup_target_failed' } });
    await ended(renter, second, 'done');
    await expect.poll(async () => (await backupsOf(renter)).map(({ id }) => id)).toEqual([c, a]);
    expect(await eventsOf(database.sql, server_id)).toEqual(['server.backup_deleted']);
  });

  it('that failed is gone at once, without its agent', async () => {
    const renter = await rent();
    const [id] = (await stored(database.sql, renter.id, 1, { state: 'failed' })) as [string];
    await renter.screen.request('backups.delete', { server_id: renter.id, backup_ids: [id] });
    expect(await backupsOf(renter)).toEqual([]);
    expect(renter.runner.operations).toEqual([]);
  });

  it('is verified: whole, damaged, or whole again', async () => {
    const renter = await rent();
    const id = await made(renter);
    const verify = async (state: 'done' | 'failed', result: object) => {
      const op_id = randomUUID();
      const ids = { server_id: renter.id, backup_id: id };
      expect(await renter.screen.request('backups.verify', { ...ids, op_id })).toMatchObject({
        backup: { state: 'verifying' },
      });
      expect(errorOf(await create(renter))).toBe('backup_in_progress');
      const operation = await operationOf(renter, (one) => one.op_id === op_id);
      expect(operation.args).toMatchObject({ backup_id: id, sha256: 'a'.repeat(64) });
      await ended(renter, operation, state, result);
    };
    const fine = { files: 3, content_bytes: 1_000, damaged: [] };
    await verify('done', fine);
    await becomes(renter, id, { state: 'done', verified: expect.any(String) });
    await verify('failed', { error: 'disk_full' });
    await becomes(renter, id, { state: 'done', error: { code: 'disk_full', retryable: true } });
    await verify('done', { ...fine, damaged: ['level.dat'] });
    await becomes(renter, id, { state: 'damaged', error: { code: 'backup_damaged', retryable: false } });
    const ids = { server_id: renter.id, backup_id: id };
    const restore = { ...ids, op_id: randomUUID(), safety: false, stop: true };
    expect(errorOf(await renter.screen.request('backups.restore', restore))).toBe('backup_damaged');
    expect(errorOf(await renter.screen.request('backups.download', ids))).toBe('backup_damaged');
    await verify('done', fine);
    await becomes(renter, id, { state: 'done', error: null });
  });

  it('is downloaded once by an address, while it is prepared', async () => {
    const renter = await rent();
    const id = await made(renter);
    const ids = { server_id: renter.id, backup_id: id };
    const answer = await renter.screen.request('backups.download', ids);
    const address = answer.ok ? answer.address : '';
    expect((await backupsOf(renter))[0]?.state).toBe('done');
    const fetched = fetch(`${plane.url}${address}`);
    const operation = await ofKind(renter, 'backup_send');
    await becomes(renter, id, { state: 'preparing' });
    expect(
      errorOf(await renter.screen.request('backups.delete', { server_id: renter.id, backup_ids: [id] })),
    ).toBe('backup_in_progress');
    // another backup may begin meanwhile: a download can take hours
    expect(errorOf(await create(renter))).toBeNull();
    const bytes = Buffer.alloc(100_000, 'world');
    expect((await fetch(`${plane.url}${operation.args.put}`, { method: 'PUT', body: bytes })).status).toBe(
      200,
    );
    expect(Buffer.from(await (await fetched).arrayBuffer()).equals(bytes)).toBe(true);
    await ended(renter, operation, 'done', { bytes: bytes.length });
    await becomes(renter, id, { state: 'done', error: null });
    expect((await fetch(`${plane.url}${address}`)).status).toBe(404);
  });
});
