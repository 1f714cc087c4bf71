import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ping } from './status-ping.ts';

/** Peers that are no game server, or hostile: the real one is in `content.docker.test.ts`. */
let server: Server;
afterEach(async () => {
  await new Promise((done) => server.close(done));
});
async function serve(answer: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    // the request must be read, or the end of the connection is never seen
    socket.on('error', () => {}).resume();
    answer(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const packet = (text: string) => {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([body.length + 2, 0, body.length]), body]);
};

it.each<[string, (socket: Socket) => void]>([
  ['hangs up', (socket) => socket.destroy()],
  ['says no number of players', (socket) => socket.write(packet('{"players":{"online":"many"}}'))],
  ['says no JSON', (socket) => socket.write(packet('{"players":'))],
  [
    'never ends',
    (socket) =>
      socket.on('drain', () => socket.write(Buffer.alloc(65_536, 0xff))).write(Buffer.alloc(65_536, 0xff)),
  ],
])('one that %s has no players to count', async (_, answer) => {
  expect(await ping('127.0.0.1', await serve(answer))).toBeNull();
});

it.each(['', 'HTTP/1.1 400 Bad Request\r\n\r\n'])('one that says only %j is not waited for', async (text) => {
  expect(await ping('127.0.0.1', await serve((socket) => socket.write(text)), 50)).toBeNull();
});

it('an answer in pieces is put together', async () => {
  const answer = packet('{"players":{"online":3,"max":20}}');
  const port = await serve((socket) => {
    for (const byte of answer) socket.write(Buffer.from([byte]));
  });
  expect(await ping('127.0.0.1', port)).toEqual({ online: 3, most: 20, names: [] });
});

it('names who is online, and leaves out lines of text that plugins put there', async () => {
  const sample = [{ name: 'Odo' }, { name: '§6Join us!' }, { name: 'Odo' }, null, { name: 7 }, 'Eve'];
  const players = JSON.stringify({ online: 3, max: 9, sample }).slice(0, 120);
  const answer = packet(`{"players":${players}}`);
  const port = await serve((socket) => socket.write(answer));
  expect(await ping('127.0.0.1', port)).toEqual({ online: 3, most: 9, names: ['Odo'] });
});
