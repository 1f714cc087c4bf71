import { randomBytes } from 'node:crypto';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { renameServer } from '#db/hosting/servers/write.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { actorFor, token } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { proof_purpose } from '../protocol/plane.ts';
import { browser, closeClients, opened } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  sealer,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';

const database = testDatabase();
let here: TestControlPlane;
beforeAll(async () => {
  here = await startControlPlane(database.sql);
});
afterEach(closeClients);
afterAll(() => here.close());

/** A plane that speaks these versions of the link. */
async function plane(link: { min: number; max: number }): Promise<TestControlPlane> {
  const made = await startControlPlane(database.sql, 0, link);
  onTestFinished(() => made.close());
  return made;
}

/** What the handshake of another plane is answered: the version, or the code of the refusal. */
async function handshakeResult(
  given: { to?: string; from?: string; protocol?: [number, number]; proof?: string } = {},
  headers: Record<string, string> = {},
): Promise<number | string> {
  const to = given.to ?? here.plane.context.id;
  const auth = {
    ...{ from: 'other', to, protocol: [1, 1], proof: proofOf({ from: 'other', to }) },
    ...given,
  };
  const socket = io(`${here.url}/plane`, {
    ...{ transports: ['websocket'], forceNew: true, reconnection: false, auth, extraHeaders: headers },
  });
  opened.add(socket);
  return await new Promise((done) => {
    socket.once('welcome', ({ protocol }) => done(protocol));
    socket.once('connect_error', (error: Error & { data?: { error: string } }) =>
      done(error.data?.error ?? error.message),
    );
  });
}
const proofOf = (claims: { from: string; to: string; at?: number }, by = sealer) =>
  by.seal(JSON.stringify({ at: Date.now(), ...claims }), proof_purpose);

it('a plane that has joined is known to the others, whatever heartbeats they store', async () => {
  const other = await plane({ min: 1, max: 1 });
  expect(here.plane.context.membership.others.map(({ id }) => id)).toContain(other.plane.context.id);
});

describe('a link between planes', () => {
  it('is opened only by a plane of the installation, for this plane, and now', async () => {
    const to = here.plane.context.id;
    const foreign = createSealer(randomBytes(32));
    expect(await handshakeResult()).toBe(1);
    expect(await handshakeResult({ proof: 'guessed' })).toBe('plane_foreign');
    expect(await handshakeResult({ proof: proofOf({ from: 'other', to }, foreign) })).toBe('plane_foreign');
    expect(await handshakeResult({ proof: proofOf({ from: 'somebody', to }) })).toBe('plane_foreign');
    expect(await handshakeResult({ proof: proofOf({ from: 'other', to: 'elsewhere' }) })).toBe(
      'plane_foreign',
    );
    expect(await handshakeResult({ proof: proofOf({ from: 'other', to, at: Date.now() - 61_000 }) })).toBe(
      'plane_foreign',
    );
    // of the installation, for another purpose
    const totp = sealer.seal(JSON.stringify({ from: 'other', to, at: Date.now() }), 'totp:AbCd1234');
    expect(await handshakeResult({ proof: totp })).toBe('plane_foreign');
    expect(await handshakeResult({ proof: sealer.seal('not JSON', proof_purpose) })).toBe('plane_foreign');
    expect(await handshakeResult({ proof: 'x'.repeat(501) })).toBe('plane_foreign');
    expect(await handshakeResult({ protocol: 'new' as never })).toBe('plane_foreign');
    expect(await handshakeResult({}, { 'x-forwarded-for': '192.0.2.1' }), 'through the site').toBe(
      'plane_foreign',
    );
    expect(await handshakeResult({ to: 'gone' }), 'another plane was here').toBe('plane_away');
  });

  it('has the highest version that both speak', async () => {
    expect(await handshakeResult({ protocol: [0, 5] })).toBe(1);
    expect(await handshakeResult({ protocol: [2, 3] })).toBe('plane_protocol');
    const newer = await plane({ min: 1, max: 2 });
    const renter = await rentServer(database.sql, newer.url);
    await running(renter);
    expect(await commandFrom(here, renter)).toEqual({ ok: true });
  });

  it('is refused in words by a plane without a common version, in both directions', async () => {
    const newer = await plane({ min: 2, max: 3 });
    for (const [holder, asking] of [
      [newer, here],
      [here, newer],
    ] as const) {
      const renter = await rentServer(database.sql, holder.url);
      await running(renter);
      const answer = await commandFrom(asking, renter);
      expect(answer).toMatchObject({ ok: false, error: 'plane_protocol', status: 503 });
      expect(!answer.ok && answer.description).toContain('a different release');
      expect(renter.runner.commands).toEqual([]);
      // what Postgres says goes on between releases
      const screen = await browser(asking.url, { token: renter.key });
      await screen.request('server.join', { server_id: renter.id, rooms: ['state', 'console'] });
      await database.sql.begin((tx) =>
        renameServer(tx, actorFor(renter.owner), { server_id: renter.id, name: 'Renamed' }, new Date()),
      );
      await expect.poll(() => screen.received.state.at(-1)?.server.name).toBe('Renamed');
    }
  });

  it('is opened again after it was lost, and the console goes on', async () => {
    const holder = await plane({ min: 1, max: 1 });
    const renter = await rentServer(database.sql, holder.url);
    await running(renter);
    const { runner, id, key } = renter;
    const screen = await browser(here.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['console'] });
    await runner.print(id, ['one']);
    const texts = () => screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text));
    await expect.poll(texts).toEqual(['one']);
    for (const socket of await holder.plane.context.io.of('/plane').fetchSockets()) socket.disconnect(true);
    await runner.print(id, ['two', 'three']);
    await expect.poll(texts).toEqual(['one', 'two', 'three']);
    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toEqual({ ok: true });
  });

  it('drops lines under a lease that has ended', async () => {
    const holder = await plane({ min: 1, max: 1 });
    const renter = await rentServer(database.sql, holder.url);
    await running(renter);
    const { runner, id, node, key } = renter;
    const screen = await browser(here.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['console'] });
    await runner.print(id, ['one']);
    const texts = () => screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text));
    await expect.poll(texts).toEqual(['one']);
    const [socket] = await holder.plane.context.io.of('/plane').fetchSockets();
    const line = (text: string, seq: number) => ({ seq, at: 0, stream: 'out' as const, text });
    const lines = { server_id: id, epoch: 'two', from: 1, lines: [line('of the past', 1)] };
    socket!.emit('lines', { node_id: node.id, lease: runner.welcome.lease - 1, ...lines });
    socket!.emit('lines', { node_id: 'Unknown1', lease: 99, ...lines });
    await runner.print(id, ['two']);
    await expect.poll(texts).toEqual(['one', 'two']);
  });
});

/** Types a command into a console of a server whose agent another plane has. */
async function commandFrom({ url }: TestControlPlane, { id, owner }: RentedServer) {
  const screen = await browser(url, { token: await token(database.sql, owner) });
  return await screen.request('server.command', { server_id: id, text: 'list' });
}

describe('a plane that is slow', () => {
  it('gets what it was left out of, once it has drained', async () => {
    const holder = await plane({ min: 1, max: 1 });
    const renter = await rentServer(database.sql, holder.url);
    await running(renter);
    const { runner, id, key } = renter;
    const screen = await browser(here.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['console'] });
    await runner.print(id, ['line 1']);
    const texts = () => screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text));
    await expect.poll(texts).toEqual(['line 1']);
    // the socket of the link at the plane that has the agent: it takes nothing for a while
    const wires = [
      ...(holder.plane.context.io.of('/plane').sockets.values() as never as Iterable<{ conn: unknown }>),
    ];
    const transport = (wires[0]!.conn as { transport: { socket: { bufferedAmount: number } } }).transport
      .socket;
    const full = vi.spyOn(transport, 'bufferedAmount', 'get').mockReturnValue(17_000_000);
    for (let i = 2; i <= 1_500; i += 100)
      await runner.print(
        id,
        Array.from({ length: 100 }, (_, n) => `line ${i + n}`),
      );
    expect(texts()).toEqual(['line 1']);
    full.mockRestore();
    await expect.poll(() => texts().length).toBe(1_501);
    expect(texts()).toEqual(Array.from({ length: 1_501 }, (_, n) => `line ${n + 1}`));
    expect(screen.received.console.every(({ gap }) => gap === 0)).toBe(true);
  });
});
