import { createSocket } from 'node:dgram';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AgentFixture, agentFixture, freePort, wait_options } from '../testing/fixture.ts';

/** Ports beside that of the game: reached from outside, TCP and UDP, as long as the specification has them. */
let fixture: AgentFixture;
let agent: { close(): void };
let onHost: Server | undefined;
beforeAll(async () => {
  fixture = await agentFixture();
  agent = fixture.start();
});
afterAll(async () => {
  onHost?.close();
  agent?.close();
  await fixture?.end();
});

/** What answers at a port of this machine by TCP, or the error. */
const dialled = (port: number): Promise<string> =>
  new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port });
    let said = '';
    socket.on('data', (text) => {
      said += text;
    });
    socket.once('close', () => done(said));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'));
  });

/** What answers at a port of this machine by UDP; nothing within a second is `silence`. */
async function asked(port: number): Promise<string> {
  const socket = createSocket('udp4');
  try {
    return await new Promise<string>((done) => {
      socket.once('message', (message) => done(message.toString()));
      socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'));
      socket.connect(port, '127.0.0.1', () => socket.send('?'));
      setTimeout(() => done('silence'), 1_000).unref();
    });
  } finally {
    socket.close();
  }
}

async function listening(id: string, port: number): Promise<void> {
  await fixture.plane.type(id, `listen ${port}`);
  await fixture.printed(id, `listening on ${port}`);
}

it('leads to what listens on it inside, and not any more once it is removed', async () => {
  const { plane } = fixture;
  const port = await freePort();
  const id = await fixture.running({ extra_ports: [port] });
  await listening(id, port);
  await vi.waitFor(async () => expect(await dialled(port)).toBe('tcp'), wait_options);
  await vi.waitFor(async () => expect(await asked(port)).toBe('udp'), wait_options);
  const before = (await (await fixture.containerOf(id)).inspect()).Id;

  // a running server keeps it until its restart
  await plane.setDesired(id, { extra_ports: [] });
  expect(await dialled(port)).toBe('tcp');
  await plane.setDesired(id, { restart_seq: 1 });
  await vi.waitFor(async () => {
    const { Id, State } = await (await fixture.containerOf(id)).inspect();
    expect([Id === before, State.Running]).toEqual([false, true]);
    expect(plane.power(id)).toBe('running');
  }, wait_options);
  await listening(id, port);
  expect(await dialled(port)).toBe('ECONNREFUSED');
  expect(await asked(port)).not.toBe('udp');
});

it('is left out, with a warning, when something else on the machine has it', async () => {
  const [free, taken] = [await freePort(), await freePort()];
  onHost = createServer((socket) => socket.end('host')).listen(taken, '0.0.0.0');
  await new Promise((done) => onHost!.once('listening', done));
  const id = await fixture.running({ extra_ports: [free, taken] });
  await listening(id, free);
  await vi.waitFor(async () => expect(await dialled(free)).toBe('tcp'), wait_options);
  expect(await dialled(taken)).toBe('host');
  expect(fixture.plane.of(id, 'server.warning').map(({ data }) => data)).toMatchObject([
    { code: 'extra_port_taken', detail: String(taken) },
  ]);
});
