import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { field, packet } from '../game-protocol/packets.ts';
import { ping } from '../server/status-ping.ts';
import { Sleepers } from './sleepers.ts';

const host = '127.0.0.1';
const login = Buffer.concat([
  packet(0, field.number(754), field.text('localhost'), Buffer.from([0x63, 0xdd]), field.number(2)),
  packet(0, field.text('Mirelle')),
]);
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function game(port: number, take: (socket: Socket) => void = (socket) => socket.pipe(socket)) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    take(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  opened.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return server.address() as { port: number };
}

/** Something that listens, and whatever its test does with it. */
async function sleeping({ hold = 25_000 } = {}) {
  const sleepers = new Sleepers(hold);
  opened.push(sleepers);
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((done) => probe.close(done));
  let woken = 0;
  const place = { host, port, shown: { motd: 'Shh', game_version: '1.16.5' } };
  const wake = () => {
    woken += 1;
  };
  await sleepers.listen('S1', place, { most: 20, start_ms: 40_000, wake });
  return { sleepers, place, port, woken: () => woken };
}

/** A client that sends `bytes` and gives what it got once the connection ended. */
function client(port: number, bytes: Buffer, localAddress = host) {
  const socket = connect({ host, port, localAddress });
  const got: Buffer[] = [];
  socket.on('data', (chunk) => got.push(chunk)).on('error', () => {});
  socket.write(bytes);
  opened.push({ close: () => socket.destroy() });
  const text = () => Buffer.concat(got).toString();
  return { socket, text, ended: new Promise((done) => socket.once('close', done)).then(text) };
}

describe('in the place of a sleeping server', () => {
  it('a ping is answered and nobody is woken', async () => {
    const { port, woken, sleepers, place } = await sleeping();
    expect(await ping(host, port)).toEqual({ online: 0, most: 20, names: [] });
    expect(await client(port, Buffer.from([0xfe, 1])).ended).toContain('S\0h\0h');
    expect(await client(port, Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(9))).ended).toBe('');
    expect(woken()).toBe(0);
    expect([...sleepers.ports()]).toEqual([port]);
    expect(sleepers.isListening('S1', place)).toBe(true);
    expect(sleepers.isListening('S1', { ...place, shown: { ...place.shown, motd: 'new' } })).toBe(false);
  });

  it('a player waits while the port is given to the game, and is handed over with every byte', async () => {
    const { port, woken, sleepers } = await sleeping();
    const player = client(port, login.subarray(0, 9));
    player.socket.write(login.subarray(9));
    await expect.poll(woken).toBe(1);
    player.socket.write('more');
    sleepers.endListening('S1');
    expect(sleepers.ports().size).toBe(0);
    await game(port);
    sleepers.handOver('S1', { host, port, loader: null });
    await expect.poll(player.text).toBe(`${login}more`);
    player.socket.write('!');
    await expect.poll(player.text).toBe(`${login}more!`);
  });

  it('players who were handed over leave their places to others', async () => {
    const { port, woken, sleepers, place } = await sleeping();
    const players = Array.from({ length: 16 }, () => client(port, login));
    await expect.poll(woken).toBe(16);
    expect(await ping(host, port)).toBeNull();
    sleepers.endListening('S1');
    const up = await game(0);
    sleepers.handOver('S1', { host, port: up.port, loader: null });
    for (const { text } of players) await expect.poll(text).toBe(login.toString());
    await sleepers.listen('S1', place, { most: 20, start_ms: null, wake: () => {} });
    expect(await ping(host, port)).toEqual({ online: 0, most: 20, names: [] });
  });

  it('a game that does not take connections yet is tried again', async () => {
    const { port, woken, sleepers } = await sleeping();
    const player = client(port, login);
    await expect.poll(woken).toBe(1);
    sleepers.endListening('S1');
    sleepers.handOver('S1', { host, port, loader: null });
    await game(port, (socket) => socket.end('welcome'));
    expect(await player.ended).toBe('welcome');
  });

  it('a player who waited too long reads when to come again', async () => {
    const { port } = await sleeping({ hold: 50 });
    expect(await client(port, login).ended).toContain('Join again in about 40 seconds.');
  });

  it('one player is handed over where the game refuses a second from one address', async () => {
    const { port, woken, sleepers } = await sleeping();
    const players = [client(port, login), client(port, login)];
    await expect.poll(woken).toBe(2);
    sleepers.endListening('S1');
    await game(port, (socket) => socket.end('welcome'));
    sleepers.handOver('S1', { host, port, loader: 'paper' });
    const read = await Promise.all(players.map(({ ended }) => ended));
    expect(read.filter((text) => text === 'welcome')).toHaveLength(1);
    expect(read.filter((text) => text.includes('The server is up now'))).toHaveLength(1);
  });

  it('a flood is let go, a few of it wait, and pings of others are answered', async () => {
    const { port, sleepers } = await sleeping();
    const addresses = ['127.0.0.2', '127.0.0.3'];
    const flood = addresses.flatMap((from) => Array.from({ length: 100 }, () => client(port, login, from)));
    const gone = flood.map(({ ended }) => ended);
    const read: string[] = [];
    for (const one of gone) void one.then((text) => read.push(text));
    // 16 of each address at a time are heard, 20 of all wait
    await expect.poll(() => read.length).toBe(180);
    expect(read.filter((text) => text.includes('Join again in about 40 seconds.'))).not.toHaveLength(0);
    const other = connect({ host, port, localAddress: '127.0.0.4' });
    opened.push({ close: () => other.destroy() });
    other.write(
      Buffer.concat([
        packet(0, field.number(1), field.text('x'), Buffer.from([0, 1]), field.number(1)),
        packet(0),
      ]),
    );
    const [answer] = (await once(other, 'data')) as [Buffer];
    expect(answer.toString()).toContain('Shh');
    sleepers.forget('S1');
    await Promise.all(gone);
  });

  it('a port that is taken is named, and listening ends with what came before', async () => {
    const { port, sleepers, place } = await sleeping();
    sleepers.endListening('S1');
    await game(port);
    const again = sleepers.listen('S1', place, { most: 0, start_ms: null, wake: () => {} });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(sleepers.isListening('S1', null)).toBe(false);
  });
});
