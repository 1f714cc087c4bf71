import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { grantedFile } from '#db/hosting/servers/changes/grants.ts';
import { purgeChanges } from '#db/hosting/servers/changes/purge.ts';
import { undoServerChange } from '#db/hosting/servers/changes/undo.ts';
import { mustStop } from '#db/hosting/servers/rules.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { settleServersJob } from '../jobs/settle-servers.ts';
import { ended, eventsOf, made, madeBackup, ofKind } from '../testing/backups.ts';
import { changeBecomes, changeLoader, installJar, newestOf, reportPower } from '../testing/changes.ts';
import { browser } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  startControlPlane,
  testControlPlane,
} from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const rent = () => rentServer(database.sql, plane.url);
const errorOf = (answer: { ok: boolean; error?: string }) => (answer.ok ? null : answer.error);
const power = ({ screen, id }: RentedServer, action: 'start' | 'stop' | 'restart') =>
  screen.request('server.power', { server_id: id, op_id: randomUUID(), action });
const specOf = ({ runner, id }: Pick<RentedServer, 'runner' | 'id'>) => runner.specs.get(id)!;
const kindsOf = ({ runner }: RentedServer) => runner.operations.map(({ kind }) => kind);
const becomes = (renter: Pick<RentedServer, 'id'>, fields: object) =>
  changeBecomes(database.sql, renter, fields);
const settings = { BACKUP_ENGINE: 'archive', BACKUP_TARGET: 'node' } as const;
const undone = async ({ owner, id: server_id }: RentedServer, change_id: string, op_id = randomUUID()) => {
  const actor = await actorFor(owner);
  const message = { server_id, op_id, change_id };
  return await database.sql.begin((tx) => undoServerChange(tx, actor, message, settings, new Date()));
};
const seen = async ({ screen, id }: RentedServer) => {
  const answer = await screen.request('server.show', { server_id: id });
  if (!answer.ok) throw new Error(answer.error);
  return answer.server;
};

/** A server that runs because its owner started it. */
async function live(): Promise<RentedServer> {
  const renter = await rent();
  await power(renter, 'start');
  await running(renter);
  return renter;
}

describe('another loader', () => {
  it('of a stopped server is there at once', async () => {
    const renter = await rent();
    const answer = await changeLoader(renter, { loader_version: '0.16.14' });
    expect(answer).toMatchObject({
      ok: true,
      change: {
        kind: 'loader',
        step: 'done',
        items: [
          { title: 'game_version', from: '1.16.5', to: '1.21.4' },
          { title: 'loader', from: null, to: 'fabric' },
          { title: 'loader_version', from: null, to: '0.16.14' },
        ],
        undoable: true,
      },
    });
    await expect
      .poll(() => specOf(renter))
      .toMatchObject({ game_version: '1.21.4', loader: 'fabric', loader_version: '0.16.14', power: 'off' });
    expect(kindsOf(renter)).toEqual([]);
    expect(await eventsOf(database.sql, renter.id, 'server.change%')).toEqual([
      'server.change_requested',
      'server.change_done',
    ]);
  });

  it('of a running server stops it, makes a backup, changes the loader and starts it again', async () => {
    const renter = await live();
    expect(errorOf(await changeLoader(renter, { backup: true }))).toBe('server_still_running');
    const op_id = randomUUID();
    const given = { op_id, backup: true, stop: true };
    const answers = await Promise.all([changeLoader(renter, given), changeLoader(renter, given)]);
    expect(answers.map(errorOf)).toEqual([null, null]);
    await expect.poll(() => specOf(renter).power).toBe('off');
    expect(await becomes(renter, { step: 'stopping' })).toMatchObject({ id: op_id, undoable: false });
    expect(errorOf(await power(renter, 'start'))).toBe('server_busy');
    expect(errorOf(await power(renter, 'restart'))).toBe('server_busy');
    expect(errorOf(await changeLoader(renter, { stop: true }))).toBe('server_busy');
    const backup = { server_id: renter.id, op_id: randomUUID() };
    expect(errorOf(await renter.screen.request('backups.create', backup))).toBe('server_busy');
    expect(specOf(renter).loader).toBeNull();

    await reportPower(renter, 'stopped');
    await becomes(renter, { step: 'safety' });
    const safety = await ofKind(renter, 'backup_create');
    expect(specOf(renter).loader).toBeNull();
    await ended(renter, safety, 'done', madeBackup());
    await becomes(renter, { step: 'starting' });
    await expect.poll(() => specOf(renter)).toMatchObject({ loader: 'fabric', power: 'on' });
    await reportPower(renter, 'starting');
    await reportPower(renter, 'running');
    await becomes(renter, { step: 'done', start_failed: false, undoable: true });
  });

  it('of a server that crashed and starts again by itself keeps it down meanwhile', async () => {
    const renter = await live();
    await reportPower(renter, 'crashed');
    await expect.poll(async () => (await seen(renter)).state).toBe('crashed');
    expect(errorOf(await changeLoader(renter))).toBe('server_still_running');
    // what its panel asks for, by what it sees
    const { state, power_wanted } = await seen(renter);
    const stop = state !== 'installing' && mustStop({ power: state, power_wanted });
    expect(errorOf(await changeLoader(renter, { stop }))).toBeNull();
    // it is down already: nothing is waited for
    await becomes(renter, { step: 'starting' });
    await expect.poll(() => specOf(renter)).toMatchObject({ loader: 'fabric', power: 'on' });
  });

  it('tells the panels in its room of every step', async () => {
    const renter = await live();
    await renter.screen.request('server.join', { server_id: renter.id, rooms: ['state', 'tasks'] });
    const steps = () => renter.screen.received.changes.map(({ changes: [newest] }) => newest?.step);
    await changeLoader(renter, { stop: true });
    await expect.poll(steps, { timeout: 10_000 }).toContain('stopping');
    await reportPower(renter, 'stopped');
    await expect.poll(steps, { timeout: 10_000 }).toContain('starting');
    await reportPower(renter, 'running');
    await expect.poll(steps, { timeout: 10_000 }).toContain('done');
    expect(await seen(renter)).toMatchObject({ loader: 'fabric', loader_version: null });
  });

  it('is refused with what would fit', async () => {
    const renter = await rent();
    expect(await changeLoader(renter, { game_version: '1.2.5' })).toMatchObject({
      error: 'server_version_unknown',
      description: expect.stringContaining('1.21.4, 1.20.2, 1.16.5'),
    });
    expect(await changeLoader(renter, { loader: 'liteloader' })).toMatchObject({
      error: 'server_loader_unknown',
      description: expect.stringContaining('paper'),
    });
    expect(await changeLoader(renter, { loader_version: '; rm -rf /' })).toMatchObject({
      error: 'server_loader_version_unknown',
    });
    expect(errorOf(await changeLoader(renter, { loader: null, game_version: '1.16.5' }))).toBe(
      'server_loader_unchanged',
    );
    const other = await rent();
    expect(errorOf(await changeLoader({ screen: other.screen, id: renter.id }))).toBe('server_not_found');
    expect(kindsOf(renter)).toEqual([]);
  });

  it('is one for two people at once', async () => {
    const renter = await live();
    const second = await browser(plane.url, { token: renter.key });
    const answers = await Promise.all([
      changeLoader(renter, { stop: true, loader: 'paper' }),
      changeLoader({ ...renter, screen: second }, { stop: true, loader: 'fabric' }),
    ]);
    expect(answers.map(errorOf).toSorted()).toEqual(['server_busy', null].toSorted());
    second.close();
  });

  it('is not begun during a restore, and no restore during it', async () => {
    const renter = await rent();
    const backup_id = await made(renter);
    const restore = () =>
      renter.screen.request('backups.restore', {
        ...{ server_id: renter.id, backup_id, op_id: randomUUID(), safety: false, stop: true },
      });
    await restore();
    expect(errorOf(await changeLoader(renter))).toBe('backup_in_progress');
    await ended(renter, await ofKind(renter, 'backup_restore'), 'done', { files: 3, content_bytes: 1 });
    await expect.poll(async () => errorOf(await changeLoader(renter, { erase: true }))).toBeNull();
    expect(errorOf(await restore())).toBe('server_busy');
  });
});

describe('a change that is not made', () => {
  it('because its backup failed leaves loader and server as they were', async () => {
    const renter = await live();
    await changeLoader(renter, { backup: true, stop: true });
    await reportPower(renter, 'stopped');
    await ended(renter, await ofKind(renter, 'backup_create'), 'failed', { error: 'disk_full' });
    await becomes(renter, { step: 'failed', error: { code: 'disk_full', retryable: true }, undoable: false });
    await expect.poll(() => specOf(renter)).toMatchObject({ loader: null, power: 'on' });
  });

  it('because files could not be fetched leaves everything as it was', async () => {
    const renter = await live();
    const spec = { game_version: '1.21.4', loader: 'fabric', loader_version: null };
    const pack = { project_id: 'P1', version_id: 'V1', files: {} };
    await installJar(database.sql, renter, { kind: 'modpack', spec, pack, stop: true });
    await reportPower(renter, 'stopped');
    const operation = await ofKind(renter, 'content_apply');
    const data = { file: 'a.jar', problem: '404' };
    await ended(renter, operation, 'failed', { error: 'content_download_failed', data });
    await becomes(renter, { step: 'failed', error: { code: 'content_download_failed', data } });
    await expect.poll(() => specOf(renter)).toMatchObject({ loader: null, power: 'on' });
    expect(await database.sql`select 1 from server_packs where server_id = ${renter.id}`).toHaveLength(0);
    expect(
      await database.sql`select 1 from server_content_grants where server_id = ${renter.id}`,
    ).toHaveLength(0);
  });

  it('after all files were erased brings them back', async () => {
    const renter = await rent();
    await installJar(database.sql, renter, { erase: true });
    await ended(renter, await ofKind(renter, 'file_erase'), 'done', { items: 4 });
    await ended(renter, await ofKind(renter, 'content_apply'), 'failed', { error: 'disk_full' });
    const { args } = await ofKind(renter, 'file_unerase');
    const erased = await ofKind(renter, 'file_erase');
    expect(args).toEqual({ erase_id: erased.op_id, items: null });
    expect((await becomes(renter, { step: 'applying' })).error).toBeNull();
    await ended(renter, await ofKind(renter, 'file_unerase'), 'done', { items: 4 });
    await becomes(renter, { step: 'failed', error: { code: 'disk_full' } });
  });

  it('because a user canceled it, before files change only', async () => {
    const renter = await live();
    const cancel = async (change_id: string) =>
      errorOf(await renter.screen.request('changes.cancel', { server_id: renter.id, change_id }));
    await changeLoader(renter, { stop: true });
    const first = await becomes(renter, { step: 'stopping' });
    expect(await cancel(first.id)).toBeNull();
    await becomes(renter, { step: 'cancelled', error: null });
    await expect.poll(() => specOf(renter).power).toBe('on');
    expect(await cancel(first.id)).toBeNull();
    expect(await cancel(randomUUID())).toBe('change_not_found');

    await changeLoader(renter, { stop: true, backup: true });
    await reportPower(renter, 'stopped');
    const second = await becomes(renter, { step: 'safety' });
    await ofKind(renter, 'backup_create');
    expect(await cancel(second.id)).toBeNull();
    await ended(renter, await ofKind(renter, 'backup_create'), 'failed', { error: 'cancelled' });
    await becomes(renter, { id: second.id, step: 'cancelled' });

    await changeLoader(renter, { stop: true, erase: true });
    await reportPower(renter, 'stopped');
    const third = await becomes(renter, { step: 'erasing' });
    expect(await cancel(third.id)).toBe('change_not_cancellable');
    await ended(renter, await ofKind(renter, 'file_erase'), 'done', { items: 1 });
    await becomes(renter, { id: third.id, step: 'starting' });
    await expect.poll(() => specOf(renter).loader).toBe('fabric');
  });

  it('while it still fetches files is given up by the agent', async () => {
    const renter = await rent();
    const { id } = await installJar(database.sql, renter);
    const operation = await ofKind(renter, 'content_apply');
    await renter.screen.request('changes.cancel', { server_id: renter.id, change_id: id });
    expect(await ofKind(renter, 'content_cancel')).toMatchObject({ args: { op_id: id } });
    await becomes(renter, { step: 'applying' });
    await ended(renter, operation, 'failed', { error: 'change_canceled' });
    await becomes(renter, { step: 'cancelled', error: null });
  });

  it('because the server does not stop', async () => {
    const renter = await live();
    await changeLoader(renter, { stop: true });
    await database.sql`
      update server_tasks set step_until = now() - interval '1 second' where server_id = ${renter.id}`;
    await becomes(renter, { step: 'failed', error: { code: 'server_still_running', retryable: true } });
    await expect.poll(() => specOf(renter).power).toBe('on');
  });
});

describe('content', () => {
  it('is changed while the server runs, which needs a restart then', async () => {
    const renter = await live();
    const { id } = await installJar(database.sql, renter);
    const { op_id, args } = await ofKind(renter, 'content_apply');
    expect(op_id).toBe(id);
    const [, secret = ''] = /^\/transfers\?content=(\w+)$/.exec(String(args.get)) ?? [];
    const sha512 = 'a'.repeat(128);
    const granted = (given: object = {}) =>
      grantedFile(database.sql, { secret, sha512, ...given }, new Date());
    expect(await granted()).toBe('data/P/versions/V/a.jar');
    expect(await granted({ sha512: 'b'.repeat(128) })).toBeNull();
    expect(await granted({ secret: 'x' })).toBeNull();
    expect(errorOf(await power(renter, 'restart'))).toBe('server_busy');
    await ended(renter, await ofKind(renter, 'content_apply'), 'done', {
      added: 1,
      removed: 0,
      moved: 0,
      revision: 'r2',
    });
    await becomes(renter, { step: 'done', undoable: true, by: expect.any(String) });
    expect(await seen(renter)).toMatchObject({ restart_due: true, state: 'running' });
    expect(kindsOf(renter)).toEqual(['content_apply']);
    // nobody can fetch anything any more, and the secret is nowhere
    expect(await granted()).toBeNull();
    const [stored] = await database.sql`select args from server_operations where id = ${id}`;
    expect(JSON.stringify(stored)).not.toContain(secret);
    await reportPower(renter, 'starting');
    expect((await seen(renter)).restart_due).toBe(false);
  });

  it('of a user who stops the server stays off', async () => {
    const renter = await live();
    await changeLoader(renter, { stop: true });
    expect(errorOf(await power(renter, 'stop'))).toBeNull();
    await reportPower(renter, 'stopped');
    await becomes(renter, { step: 'done' });
    expect(specOf(renter)).toMatchObject({ loader: 'fabric', power: 'off' });
  });
});

describe('taking a change back', () => {
  const spec = { game_version: '1.21.4', loader: 'fabric', loader_version: '0.16.14' };
  const done = { added: 1, removed: 0, moved: 0, revision: 'r2' };

  it('brings files, loader and modpack back', async () => {
    const renter = await rent();
    const pack = (version_id: string) => ({
      project_id: 'P1',
      version_id,
      files: { 'mods/a.jar': version_id },
    });
    const first = await installJar(database.sql, renter, { kind: 'modpack', spec, pack: pack('V1') });
    await ended(renter, await ofKind(renter, 'content_apply'), 'done', done);
    await becomes(renter, { id: first.id, step: 'done' });
    const newer = { ...spec, game_version: '1.20.2' };
    const second = await installJar(database.sql, renter, { kind: 'modpack', spec: newer, pack: pack('V2') });
    await expect.poll(() => renter.runner.operations).toHaveLength(2);
    await ended(renter, await newestOf(renter, 'content_apply'), 'done', done);
    await becomes(renter, { id: second.id, step: 'done' });
    await expect(undone(renter, first.id)).rejects.toMatchObject({ code: 'change_not_undoable' });

    const op_id = randomUUID();
    const view = await undone(renter, second.id, op_id);
    expect(view).toMatchObject({ id: op_id, kind: 'undo', items: [{ title: 'A', from: '1.0', to: null }] });
    expect(await undone(renter, second.id, op_id)).toMatchObject({ id: op_id });
    const operation = await ofKind(renter, 'content_undo');
    expect(operation).toMatchObject({ op_id, args: { folders: ['mods'], change_id: second.id } });
    expect(specOf(renter).game_version).toBe('1.20.2');
    await ended(renter, operation, 'done', done);
    await becomes(renter, { id: op_id, step: 'done', undoable: false });
    await expect.poll(() => specOf(renter)).toMatchObject(spec);
    const packs = await database.sql`
      select version_id, change_id, files from server_packs where server_id = ${renter.id}`;
    expect(packs).toMatchObject([{ version_id: 'V1', change_id: first.id, files: { 'mods/a.jar': 'V1' } }]);

    // the one before it is the newest now
    await undone(renter, first.id);
    await expect
      .poll(() => renter.runner.operations.filter(({ kind }) => kind === 'content_undo'))
      .toHaveLength(2);
    await ended(renter, await newestOf(renter, 'content_undo'), 'done', done);
    await becomes(renter, { kind: 'undo', step: 'done' });
    await expect.poll(() => specOf(renter)).toMatchObject({ game_version: '1.16.5', loader: null });
    expect(await database.sql`select 1 from server_packs where server_id = ${renter.id}`).toHaveLength(0);
  });

  it('of an erasure brings the files back and keeps what came after in the trash', async () => {
    const renter = await rent();
    await changeLoader(renter, { erase: true });
    const erased = await ofKind(renter, 'file_erase');
    await ended(renter, erased, 'done', { items: 4 });
    const { id } = await becomes(renter, { step: 'done' });
    await undone(renter, id);
    await expect.poll(() => kindsOf(renter)).toEqual(['file_erase', 'file_erase']);
    await ended(renter, await newestOf(renter, 'file_erase'), 'done', { items: 1 });
    const back = await ofKind(renter, 'file_unerase');
    expect(back.args).toEqual({ erase_id: erased.op_id, items: 4 });
    await ended(renter, back, 'done', { items: 4 });
    await becomes(renter, { kind: 'undo', step: 'done' });
    await expect.poll(() => specOf(renter)).toMatchObject({ game_version: '1.16.5', loader: null });
  });

  it('that fails leaves the change as it is', async () => {
    const renter = await rent();
    await installJar(database.sql, renter);
    await ended(renter, await ofKind(renter, 'content_apply'), 'done', done);
    const { id } = await becomes(renter, { step: 'done' });
    await undone(renter, id);
    await ended(renter, await ofKind(renter, 'content_undo'), 'failed', { error: 'change_not_undoable' });
    await becomes(renter, { kind: 'undo', step: 'failed', error: { code: 'change_not_undoable' } });
    const [change] = await database.sql`select step from server_tasks where id = ${id}`;
    expect(change).toMatchObject({ step: 'done' });
  });

  it('is what a first start that crashes asks for', async () => {
    const renter = await live();
    await changeLoader(renter, { stop: true });
    await reportPower(renter, 'stopped');
    await becomes(renter, { step: 'starting' });
    await reportPower(renter, 'starting');
    await reportPower(renter, 'crashed');
    const { id } = await becomes(renter, { step: 'done', start_failed: true, undoable: true });
    // it is stopped for it, and starts as it was
    await undone(renter, id);
    await becomes(renter, { kind: 'undo', step: 'starting' });
    await expect.poll(() => specOf(renter)).toMatchObject({ loader: null, power: 'on' });
    await reportPower(renter, 'starting');
    await reportPower(renter, 'running');
    await becomes(renter, { kind: 'undo', step: 'done', start_failed: false });
    // a later crash is no failed start of a change
    await reportPower(renter, 'starting');
    await reportPower(renter, 'crashed');
    await becomes(renter, { kind: 'undo', start_failed: false });
  });
});

describe('a change whose control plane ends', () => {
  it('goes on with another one, from each step', async () => {
    const renter = await live();
    const { node, key, id } = renter;
    let planes = await startControlPlane(database.sql);
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
    runner = await agent(planes.url, shown, held, runner);
    const screen = await browser(planes.url, { token: key });
    await changeLoader({ ...renter, screen }, { stop: true, backup: true, erase: true });
    await killed();
    await reportPower({ runner, id }, 'stopped');
    const safety = await ofKind({ runner }, 'backup_create');
    await killed();
    await ended({ runner }, safety, 'done', madeBackup());
    const erased = await ofKind({ runner }, 'file_erase');
    await killed();
    // sent again: it has not ended
    expect((await ofKind({ runner }, 'file_erase')).op_id).toBe(erased.op_id);
    await ended({ runner }, erased, 'done', { items: 2 });
    await becomes(renter, { step: 'starting' });
    await killed();
    expect(specOf({ runner, id })).toMatchObject({ loader: 'fabric', power: 'on' });
    await reportPower({ runner, id }, 'running');
    await becomes(renter, { step: 'done', error: null });
    expect(await eventsOf(database.sql, id, 'server.change_done')).toHaveLength(1);
    await planes.close();
  });

  it('is settled by a job when no plane heard of it', async () => {
    const renter = await rent();
    const { id } = await installJar(database.sql, renter);
    await ofKind(renter, 'content_apply');
    const { sql } = database;
    // without a notification
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update server_operations set state = 'done', ended = now(), result = '{}' where id = ${id}`;
    });
    const { settings: own, now } = plane.plane.context;
    const context = { sql, settings: own, now } as never;
    expect(await settleServersJob.run(context, {})).toBeDefined();
    await becomes(renter, { id, step: 'done' });
  });
});

it('keeps the newest fifty changes of a server', async () => {
  const { id } = await rent();
  const { sql } = database;
  await sql`
    insert into server_tasks (id, server_id, kind, step, data, began, ended)
    select gen_random_uuid(), ${id}, 'change', 'done', '{}', now() - n * interval '1 minute', now()
    from generate_series(1, 60) n`;
  expect(await purgeChanges(sql, new Date(), 1_000)).toBe(10);
  const [row] = await sql<{ oldest: number }[]>`
    select round(extract(epoch from now() - min(began)) / 60)::int as oldest from server_tasks
    where server_id = ${id}`;
  expect(row?.oldest).toBe(50);
});
