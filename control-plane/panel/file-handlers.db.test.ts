import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { token } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { browser } from '../testing/clients.ts';
import { type RentedServer, rentServer, testTwoPlanes } from '../testing/plane.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);
const rent = () => rentServer(database.sql, here.url);
const list = ({ screen, id }: Pick<RentedServer, 'screen' | 'id'>, path = '') =>
  screen.request('files.list', { server_id: id, path });
const create = ({ screen, id }: Pick<RentedServer, 'screen' | 'id'>, op_id: string = randomUUID()) =>
  screen.request('files.create', { server_id: id, op_id, path: 'a', type: 'file' });

describe('files of a server', () => {
  it('are listed by its agent, wherever that is connected', async () => {
    const renter = await rent();
    renter.runner.files.files.set('world/level.dat', Buffer.from('1'));
    const far = { screen: await browser(there.url, { token: renter.key }), id: renter.id };
    for (const one of [renter, far])
      expect(await list(one)).toMatchObject({
        ok: true,
        entries: [{ name: 'world', type: 'directory' }],
        total: 1,
      });
    expect(await far.screen.request('files.stat', { server_id: renter.id, paths: ['x'] })).toMatchObject({
      entries: [null],
    });
    expect(
      await far.screen.request('files.search', {
        server_id: renter.id,
        path: '',
        text: 'level',
        in: 'names',
      }),
    ).toMatchObject({ found: [{ path: 'world/level.dat' }], complete: true });
  });

  it('that the agent refuses are refused with its code and data, in the language of the page', async () => {
    const renter = await rent();
    const german = await browser(there.url, { token: renter.key, locale: 'de-DE' });
    const { files } = renter.runner;
    files.before = async () => ({ ok: false, error: 'file_not_directory', data: { path: 'a.txt' } });
    expect(await list({ screen: german, id: renter.id })).toMatchObject({
      ...{ error: 'file_not_directory', status: 400, description: 'a.txt ist kein Ordner.' },
    });
    files.before = async () => ({ ok: false, error: 'of_a_newer_agent', data: {} });
    expect(await list(renter)).toMatchObject({ error: 'operation_failed' });
    files.before = async () => ({ ok: true, result: { entries: 'none' } });
    expect(await list(renter)).toMatchObject({ error: 'operation_failed' });
  });

  it.each([
    ['of another person', 'server_not_found', async ({ id }: RentedServer) => ({ ...(await rent()), id })],
    [
      'with a token that may only read',
      'scope_missing',
      async (renter: RentedServer) => {
        const key = await token(database.sql, renter.owner, ['SERVER_READ']);
        return { ...renter, screen: await browser(here.url, { token: key }) };
      },
    ],
    [
      'while it is suspended',
      'server_suspended',
      async (renter: RentedServer) => {
        await database.sql.begin((tx) => suspendServer(tx, renter.id, 'other'));
        return renter;
      },
    ],
    [
      'while it is set up',
      'server_not_ready',
      async (renter: RentedServer) => {
        await database.sql`update servers set lifecycle = 'installing' where id = ${renter.id}`;
        return renter;
      },
    ],
    [
      'whose node is away',
      'server_unreachable',
      async (renter: RentedServer) => {
        renter.runner.close();
        await database.sql`
          update nodes set last_seen = now() - interval '1 hour', status = 'offline' where id = ${renter.node.id}`;
        return renter;
      },
    ],
  ])('%s are refused before any work', async (_, error, prepare) => {
    const renter = await rent();
    const { runner } = renter;
    const prepared = await prepare(renter);
    expect(await list(prepared)).toMatchObject({ ok: false, error });
    expect(await create(prepared)).toMatchObject({ ok: false, error });
    expect(runner.files.asked).toEqual([]);
  });

  it('are not changed while a backup is restored, and can still be seen', async () => {
    const renter = await rent();
    await database.sql`
      insert into server_operations (id, server_id, kind, not_after)
      values (${randomUUID()}, ${renter.id}, 'backup_restore', now() + interval '1 hour')`;
    expect(await create(renter)).toMatchObject({ error: 'server_busy', status: 409 });
    expect(await list(renter)).toMatchObject({ ok: true });
    expect(renter.runner.operations).toEqual([]);
  });

  it('with names that no database can hold are refused', async () => {
    const renter = await rent();
    for (const path of ['a\0b', '\ud800', 'x'.repeat(5_000)]) {
      const message = { server_id: renter.id, op_id: randomUUID(), path, type: 'file' } as const;
      expect(await renter.screen.request('files.create', message)).toMatchObject({ status: 400 });
    }
    expect(renter.runner.operations).toEqual([]);
  });
});

describe('an operation on files', () => {
  it('ends with its result, or the words of the agent', async () => {
    const renter = await rent();
    const { runner } = renter;
    runner.results.set('file_create', {});
    expect(await create(renter)).toEqual({ ok: true, result: {} });
    runner.results.clear();
    const fail = (result: object) => {
      runner.answerOperation = ({ op_id }) => {
        runner.report('operation.ended', renter.id, { op_id, state: 'failed', result }).catch(() => {});
        return { status: 'accepted' };
      };
    };
    fail({ error: 'file_exists', data: { path: 'a' } });
    const text = 'There is already something named a. Choose another name, or replace it.';
    expect(await create(renter)).toMatchObject({ error: 'file_exists', description: text });
    fail({ error: 'file_exists', path: 'a' });
    expect(await create(renter)).toMatchObject({ error: 'file_exists', description: text });
    fail({ error: 'ENOENT: no such file' });
    expect(await create(renter)).toMatchObject({ error: 'operation_failed' });
  });

  it('goes on after its answer; every panel in the room hears how far it is and how it ends', async () => {
    const renter = await rent();
    const { runner, id, screen } = renter;
    const far = await browser(there.url, { token: renter.key, locale: 'de-DE' });
    const outside = await browser(there.url, { token: renter.key });
    for (const one of [screen, far]) await one.request('server.join', { server_id: id, rooms: ['tasks'] });
    await outside.request('server.join', { server_id: id, rooms: ['state'] });
    const op_id = randomUUID();
    const answer = create(renter, op_id);
    await expect.poll(() => runner.operations.length).toBe(1);
    const { socket, welcome } = runner;
    const progress = (done: number, change: object = {}) =>
      socket.emit('operation.progress', {
        ...{ lease: welcome.lease, server_id: id, op_id, done, total: 10, ...change },
      });
    progress(1, { lease: welcome.lease - 1 });
    progress(2);
    // within the same second: not stored
    progress(3);
    const heard = () => far.received.operation.map(({ operation }) => operation.progress?.done);
    await expect.poll(heard).toContain(2);
    expect(await answer).toEqual({ ok: true, result: null });
    expect(heard()).not.toContain(1);
    expect(heard()).not.toContain(3);
    const result = { error: 'disk_full', data: {} };
    await runner.report('operation.ended', id, { op_id, state: 'failed', result });
    const last = () => far.received.operation.at(-1);
    await expect.poll(() => last()?.operation.state).toBe('failed');
    expect(last()).toMatchObject({
      server_id: id,
      operation: { op_id, kind: 'file_create', error: { code: 'disk_full' }, result: null },
    });
    expect(last()?.operation.error?.description).toMatch(/^Der Speicher/);
    await expect.poll(() => screen.received.operation.at(-1)?.operation.state).toBe('failed');
    expect(outside.received.operation).toEqual([]);
    // whoever lost the event asks, and the same id is no second operation
    expect(await outside.request('server.operation', { server_id: id, op_id })).toMatchObject({
      operation: { state: 'failed', progress: { done: 2, total: 10 } },
    });
    expect(await create(renter, op_id)).toMatchObject({ error: 'disk_full' });
    expect(runner.operations).toHaveLength(1);
  }, 30_000);

  it('of another server is unknown', async () => {
    const [renter, other] = [await rent(), await rent()];
    renter.runner.results.set('file_create', {});
    const op_id = randomUUID();
    await create(renter, op_id);
    const message = { server_id: other.id, op_id };
    expect(await other.screen.request('server.operation', message)).toMatchObject({ error: 'not_found' });
  });
});

describe('an operation on files that goes on', () => {
  const copy = { copies: [{ from: 'a', to: 'b' }] };
  const cancel = ({ screen, id }: Pick<RentedServer, 'screen' | 'id'>, op_id: string) =>
    screen.request('files.cancel', { server_id: id, op_id });
  const ofKind = ({ runner }: RentedServer, kind: string) =>
    runner.operations.filter((one) => one.kind === kind);

  it('is canceled by its agent, whoever began it, and says so to everybody who waits', async () => {
    const renter = await rent();
    const far = { screen: await browser(there!.url, { token: renter.key }), id: renter.id };
    const op_id = randomUUID();
    const answer = renter.screen.request('files.copy', { server_id: renter.id, op_id, ...copy });
    await expect.poll(() => ofKind(renter, 'file_copy')).toHaveLength(1);
    expect(await cancel(far, op_id)).toEqual({ ok: true });
    await expect.poll(() => ofKind(renter, 'file_cancel')).toMatchObject([{ args: { op_id } }]);
    const result = { error: 'operation_canceled', data: {} };
    await renter.runner.report('operation.ended', renter.id, { op_id, state: 'failed', result });
    expect(await answer).toMatchObject({ ok: false, error: 'operation_canceled' });
    // once more: nothing to do
    expect(await cancel(renter, op_id)).toEqual({ ok: true });
    expect(ofKind(renter, 'file_cancel')).toHaveLength(1);
  });

  it('that its agent has not accepted never begins', async () => {
    const renter = await rent();
    const op_id = randomUUID();
    // of no node: nobody sends it to an agent
    await database.sql`
      insert into server_operations (id, server_id, kind, not_after)
      values (${op_id}, ${renter.id}, 'file_unpack', now() + interval '1 minute')`;
    expect(await cancel(renter, op_id)).toEqual({ ok: true });
    const asked = { server_id: renter.id, op_id };
    expect(await renter.screen.request('server.operation', asked)).toMatchObject({
      operation: { state: 'expired', error: { code: 'operation_canceled' } },
    });
    expect(renter.runner.operations).toEqual([]);
  });

  it('is canceled only by who may change the server, and only when that is possible', async () => {
    const [renter, other] = [await rent(), await rent()];
    const key = await token(database.sql, renter.owner, ['SERVER_READ']);
    const reader = { screen: await browser(here!.url, { token: key }), id: renter.id };
    const [op_id, moving] = [randomUUID(), randomUUID()];
    const { screen, id: server_id } = renter;
    const going = [
      screen.request('files.copy', { server_id, op_id, ...copy }),
      screen.request('files.move', { server_id, op_id: moving, moves: copy.copies }),
    ];
    await expect.poll(() => renter.runner.operations).toHaveLength(2);
    expect(await cancel(reader, op_id)).toMatchObject({ error: 'scope_missing' });
    expect(await cancel({ screen: other.screen, id: renter.id }, op_id)).toMatchObject({
      error: 'server_not_found',
    });
    expect(await cancel(other, op_id)).toMatchObject({ error: 'not_found' });
    expect(await cancel(renter, randomUUID())).toMatchObject({ error: 'not_found' });
    expect(await cancel(renter, moving)).toMatchObject({ error: 'operation_not_cancellable' });
    expect(renter.runner.operations).toHaveLength(2);
    for (const one of [op_id, moving])
      await renter.runner.report('operation.ended', server_id, { op_id: one, state: 'failed', result: {} });
    await Promise.all(going);
  });
});
