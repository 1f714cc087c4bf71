import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { befriend, unfriend } from '#db/accounts/friends/write.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import { closeSession, openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { launcherSocket } from './launcher-socket.ts';

const database = testDatabase();
const ping_ms = 200;

interface Process {
  port: number;
  close(): Promise<void>;
}
/** A site process: a real HTTP server with the socket on the real database. */
async function startSite(): Promise<Process> {
  const { sql } = database;
  const services = {
    sql,
    lastUsed: new LastUsed(sql),
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  };
  const launchers = launcherSocket({ services, addressOf: () => '127.0.0.1', ping_ms });
  const http = createServer((_req, res) => res.end());
  http.on('upgrade', (req, socket, head) => void (launchers.upgrade(req, socket, head) || socket.destroy()));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    port: (http.address() as AddressInfo).port,
    async close() {
      await launchers.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

let sites: Process[];
const clients: WebSocket[] = [];
beforeEach(async () => {
  sites = [await startSite(), await startSite()];
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  await Promise.all(sites.map((site) => site.close()));
});

async function person() {
  const user = await build.user(database.sql);
  const now = new Date();
  const { session } = await openSession(database.sql, { user_id: user.id, user_agent: null, now });
  return { ...user, token: session!, actor: build.actorFor(user) };
}
type Message = Record<string, unknown> & { type: string };
/** A launcher at site `at`, with everything that it was told. */
async function launcher(token: string, at = 0, options: { autoPong?: boolean } = {}) {
  const socket = new WebSocket(
    `ws://127.0.0.1:${sites[at]!.port}/_internal/launcher_socket?code=${token}`,
    options,
  );
  clients.push(socket);
  const told: Message[] = [];
  let closed: number | null = null;
  socket.on('message', (data) => told.push(JSON.parse(String(data))));
  socket.on('close', (code) => {
    closed = code;
  });
  await once(socket, 'open');
  await expect.poll(() => told[0]?.type).toBe('friend_statuses');
  return {
    socket,
    told,
    closed: () => closed,
    say: (message: object) => socket.send(JSON.stringify(message)),
  };
}
const refusalOf = async (token: string): Promise<number> => {
  const socket = new WebSocket(`ws://127.0.0.1:${sites[0]!.port}/_internal/launcher_socket?code=${token}`);
  const [, answer] = await once(socket, 'unexpected-response');
  socket.on('error', () => {});
  socket.terminate();
  return answer.statusCode;
};
async function friends() {
  const [a, b] = [await person(), await person()];
  await database.sql.begin((tx) => befriend(tx, a.actor, b.id, new Date()));
  await database.sql.begin((tx) => befriend(tx, b.actor, a.id, new Date()));
  return [a, b] as const;
}

test('friends hear of each other across processes: online, what is played, offline', async () => {
  const [a, b] = await friends();
  const first = await launcher(a.token, 0);
  expect(first.told[0]).toEqual({ type: 'friend_statuses', statuses: [] });
  first.say({ type: 'status_update', profile_name: 'Winter pack' });
  await expect
    .poll(
      async () =>
        (await database.sql`select from launcher_connections where profile_name = 'Winter pack'`).length,
    )
    .toBe(1);
  const second = await launcher(b.token, 1);
  expect(second.told[0]).toMatchObject({ statuses: [{ user_id: a.id, profile_name: 'Winter pack' }] });
  await expect
    .poll(() => first.told.at(-1))
    .toMatchObject({ type: 'status_update', status: { user_id: b.id, profile_name: null } });
  second.say({ type: 'status_update', profile_name: 'Vanilla' });
  await expect
    .poll(() => first.told.at(-1))
    .toMatchObject({ status: { user_id: b.id, profile_name: 'Vanilla' } });
  second.socket.close();
  await expect.poll(() => first.told.at(-1)).toEqual({ type: 'user_offline', id: b.id });
});

test('strangers hear nothing; requests and their end reach the other one', async () => {
  const [a, b] = [await person(), await person()];
  const [mine, other] = [await launcher(a.token, 0), await launcher(b.token, 1)];
  await database.sql.begin((tx) => befriend(tx, a.actor, b.id, new Date()));
  await expect.poll(() => other.told.slice(1)).toEqual([{ type: 'friend_request', from: a.id }]);
  await database.sql.begin((tx) => unfriend(tx, b.actor, a.id));
  await expect.poll(() => mine.told.slice(1)).toEqual([{ type: 'friend_request_rejected', from: b.id }]);
  other.say({ type: 'status_update', profile_name: 'Secret' });
  await database.sql.begin((tx) => befriend(tx, a.actor, b.id, new Date()));
  await expect.poll(() => other.told.at(-1)?.type).toBe('friend_request');
  expect(mine.told).toHaveLength(2);
});

test('new friends see what the other one plays at once', async () => {
  const [a, b] = [await person(), await person()];
  const mine = await launcher(a.token);
  const other = await launcher(b.token);
  other.say({ type: 'status_update', profile_name: 'Lantern pack' });
  await database.sql.begin((tx) => befriend(tx, a.actor, b.id, new Date()));
  await expect.poll(() => other.told.at(-1)?.type).toBe('friend_request');
  await database.sql.begin((tx) => befriend(tx, b.actor, a.id, new Date()));
  await expect
    .poll(() => mine.told.at(-1))
    .toMatchObject({ status: { user_id: b.id, profile_name: 'Lantern pack' } });
});

test('only sessions open the socket, and only while they last', async () => {
  const { id, token } = await person();
  expect(await refusalOf(await build.token(database.sql, { id }))).toBe(401);
  expect(await refusalOf('')).toBe(401);
  expect(await refusalOf(`mra_${'0'.repeat(60)}`)).toBe(401);
  const { closed } = await launcher(token);
  await closeSession(database.sql, token, new Date());
  await expect.poll(closed).toBe(1008);
});

test.each([
  ['a name of more than 64 bytes', JSON.stringify({ type: 'status_update', profile_name: 'ü'.repeat(33) })],
  ['a name with NUL', JSON.stringify({ type: 'status_update', profile_name: 'a\0' })],
  ['an unknown message', '{"type":"shutdown"}'],
  ['no JSON', '{'],
])('%s closes the connection', async (_name, text) => {
  const { token } = await person();
  const { socket, closed } = await launcher(token);
  socket.send(text);
  await expect.poll(closed).toBe(1008);
});

test('tunnels are refused: listening is closed, data closes the connection', async () => {
  const { token } = await person();
  const { socket, told, say, closed } = await launcher(token);
  say({ type: 'socket_listen', socket: 'a1' });
  await expect.poll(() => told.at(-1)).toEqual({ type: 'socket_closed', socket: 'a1' });
  socket.send(Buffer.from([1, 2, 3]));
  await expect.poll(closed).toBe(1003);
});

test('frames are bounded in size and number, connections by user', async () => {
  const { token } = await person();
  const large = await launcher(token);
  large.socket.send('x'.repeat(5000));
  await expect.poll(large.closed).toBe(1009);
  const many = await launcher(token);
  for (let i = 0; i < 400; i++) many.say({ type: 'socket_close', socket: 'a' });
  await expect.poll(many.closed).toBe(1008);
  for (let i = 0; i < 8; i++) await launcher(token);
  expect(await refusalOf(token)).toBe(429);
});

test('a launcher that answers no ping is gone', async () => {
  const [a, b] = await friends();
  const mine = await launcher(a.token);
  await launcher(b.token, 0, { autoPong: false });
  await expect.poll(() => mine.told.at(-1)).toEqual({ type: 'user_offline', id: b.id });
});
