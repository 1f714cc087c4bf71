import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { motdAt, tryLogin } from '#agents/testing/game-client.ts';
import { type Browser, browser, closeClients } from '#control/testing/clients.ts';
import { resizeServer } from '#db/hosting/servers/resize.ts';
import { deleteServer, resumeServer, suspendServer } from '#db/hosting/servers/write.ts';
import { token } from '#db/testing/builders/build.ts';
import { type Machine, patience, testMachines } from './testing/machines.ts';
import { allowShortSleep, letSleep, short_motd } from './testing/short-sleep.ts';

/** What happens to servers that sleep: a real control plane, Postgres, Docker and two agents. */
const machines = testMachines();
const { database, filesOf, power, row } = machines;
const host = '127.0.0.1';
let [first, second] = [{} as Machine, {} as Machine];
let panel: Browser;
/** One for each thing that is done to one of them. */
const names = ['backed_up', 'resized', 'moved', 'suspended', 'reinstalled', 'deleted'] as const;
const ids = {} as Record<(typeof names)[number], string>;

const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ host, port });
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
const portOf = async (id: string) => (await row(id))!.port;

/** It is stopped, and its agent says so to whoever asks its port. */
async function sleeps(id: string): Promise<void> {
  await machines.becomes(id, { lifecycle: 'ready', power: 'stopped', sleeping: true });
  const port = await portOf(id);
  await expect.poll(() => motdAt({ host, port }), patience).toContain(short_motd);
}
/** A player wakes it; then it sleeps again. */
async function isWoken(id: string): Promise<void> {
  const wakings = async () =>
    (
      await database.sql`
        select 1 from agent_events where server_id = ${id} and type = 'server.power' and (data->>'woken')::boolean`
    ).length;
  const [port, before] = [await portOf(id), await wakings()];
  expect(await tryLogin({ host, port })).toBe('let in');
  await expect.poll(wakings, patience).toBe(before + 1);
  await sleeps(id);
}
async function ask<E extends Parameters<Browser['request']>[0]>(
  event: E,
  message: Parameters<typeof panel.request<E>>[1],
) {
  const answer = await panel.request(event, message);
  expect(answer).toMatchObject({ ok: true });
  return answer as Extract<typeof answer, { ok: true }>;
}
const containersOf = async (id: string) =>
  await machines.docker.listContainers({ all: true, filters: { label: [`${labels.server}=${id}`] } });

beforeAll(async () => {
  await allowShortSleep(database.sql);
  const region = `r-${randomUUID().slice(0, 8)}`;
  first = await machines.emptyMachine(region);
  // all of them are on the first one
  await Promise.all(
    names.map(async (name) => {
      ids[name] = await machines.serverIn(region);
      await letSleep(database.sql, ids[name]);
      await power(ids[name], 'start');
    }),
  );
  second = await machines.emptyMachine(region);
  panel = await browser(machines.here.plane.url, { token: await token(database.sql, machines.here.owner) });
  return closeClients;
});

it('a sleeping server can be backed up, resized, moved, suspended, reinstalled and deleted, and its port follows', async () => {
  await Promise.all(names.map((name) => sleeps(ids[name])));
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await portOf(ids[name])] as const)),
  );

  const nothingWakes = async () => {
    const server_id = ids.backed_up;
    const { backup } = await ask('backups.create', { server_id, op_id: randomUUID() });
    const state = async () =>
      (await ask('backups.list', { server_id })).backups.find(({ id }) => id === backup.id)?.state;
    await expect.poll(state, patience).toBe('done');
    await ask('files.create', { server_id, op_id: randomUUID(), path: 'notes.txt', type: 'file' });
    const { etag } = await ask('properties.show', { server_id });
    await ask('properties.change', { server_id, etag, values: { motd: 'Made while it slept' } });
    const files = filesOf(first, server_id);
    expect(existsSync(join(files, 'notes.txt'))).toBe(true);
    expect(readFileSync(join(files, 'server.properties'), 'utf8')).toContain('Made while it slept');
    await sleeps(server_id);
    await isWoken(server_id);
  };

  const resized = async () => {
    const id = ids.resized;
    await database.sql.begin((tx) => resizeServer(tx, { server_id: id, ram_gb: 1 }, new Date()));
    await sleeps(id);
    await isWoken(id);
    const [container] = await containersOf(id);
    const { HostConfig } = await machines.docker.getContainer(container!.Id).inspect();
    expect(HostConfig.Memory).toBe(1024 ** 3);
  };

  const moved = async () => {
    const id = ids.moved;
    writeFileSync(join(filesOf(first, id), 'world'), 'of the first');
    const move = await machines.move(id, second.node_id);
    await machines.moveIs(move, { step: 'done', error: null });
    expect(readFileSync(join(filesOf(second, id), 'world'), 'utf8')).toBe('of the first');
    await sleeps(id);
    expect(await portOf(id)).not.toBe(ports.moved);
    expect(await isOpen(ports.moved!)).toBe(false);
    await isWoken(id);
  };

  const suspended = async () => {
    const id = ids.suspended;
    await database.sql.begin((tx) => suspendServer(tx, id, 'moderated'));
    await machines.becomes(id, { lifecycle: 'suspended', sleeping: false });
    await expect.poll(() => isOpen(ports.suspended!), patience).toBe(false);
    await database.sql.begin((tx) => resumeServer(tx, id));
    await machines.becomes(id, { lifecycle: 'ready', power: 'stopped', sleeping: false });
    expect(await isOpen(ports.suspended!)).toBe(false);
    await power(id, 'start');
    await sleeps(id);
  };

  const reinstalled = async () => {
    const server_id = ids.reinstalled;
    writeFileSync(join(filesOf(first, server_id), 'old'), 'world');
    const { game_version } = await ask('loader.show', { server_id });
    const same = { game_version, loader: null, loader_version: null };
    const how = { erase: true, backup: false, stop: true };
    const { change } = await ask('loader.change', { server_id, op_id: randomUUID(), ...same, ...how });
    const step = async () =>
      (await database.sql`select step from server_tasks where id = ${change.id}`)[0]?.step;
    await expect.poll(step, patience).toBe('done');
    expect(existsSync(join(filesOf(first, server_id), 'old'))).toBe(false);
    await sleeps(server_id);
  };

  const deleted = async () => {
    const id = ids.deleted;
    await database.sql.begin((tx) => deleteServer(tx, id));
    await expect.poll(() => row(id), patience).toBeUndefined();
    expect(await isOpen(ports.deleted!)).toBe(false);
    expect(await containersOf(id)).toEqual([]);
    expect(existsSync(filesOf(first, id))).toBe(false);
  };

  await Promise.all([nothingWakes(), resized(), moved(), suspended(), reinstalled(), deleted()]);

  // all sleep now, and whoever listens has a server: nothing else of the first node's ports is open
  const used = await Promise.all(
    names.filter((name) => name !== 'moved' && name !== 'deleted').map((name) => portOf(ids[name])),
  );
  const { port_from, port_to } = (
    await database.sql`select port_from, port_to from nodes where id = ${first.node_id}`
  )[0]!;
  const open: number[] = [];
  for (let port = port_from; port <= port_to; port++) if (await isOpen(port)) open.push(port);
  expect(open).toEqual(used.sort());
});
