import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stream } from './stream.ts';

let handle: (res: ServerResponse) => Promise<void>;
const server = createServer((_, res) => void handle(res));
beforeAll(() => new Promise<void>((go) => server.listen(0, '127.0.0.1', go)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const head = async () => ({ status: 206, headers: { 'x-own': '1' } });
const never = new AbortController().signal;

async function ask(): Promise<{ status?: number | undefined; text: string | null }> {
  const { port } = server.address() as AddressInfo;
  return await new Promise((go) => {
    const asked = get({ port, host: '127.0.0.1' }, (answer: IncomingMessage) => {
      answer.toArray().then(
        (chunks) => go({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }),
        () => go({ status: answer.statusCode, text: null }),
      );
    });
    asked.on('error', () => go({ text: null }));
  });
}

/** Pieces, and whether their source was closed. */
function source(pieces: string[], fails = false) {
  const state = { closed: false };
  async function* all() {
    try {
      for (const piece of pieces) yield Buffer.from(piece);
      if (fails) throw new Error('damaged');
    } finally {
      state.closed = true;
    }
  }
  return { body: all(), state };
}

it('sends everything, and closes the source', async () => {
  const { body, state } = source(['one ', 'two']);
  let bytes = 0;
  handle = async (res) => {
    bytes = await stream(res, head, body, never);
  };
  expect(await ask()).toEqual({ status: 206, text: 'one two' });
  expect([bytes, state.closed]).toEqual([7, true]);
});

it('leaves the answer to others when the source fails at once, and cuts it off when it fails later', async () => {
  handle = (res) =>
    stream(res, head, source([], true).body, never).then(
      () => {},
      () => void res.writeHead(404).end('refused'),
    );
  expect(await ask()).toEqual({ status: 404, text: 'refused' });
  const { body, state } = source(['one'], true);
  handle = (res) =>
    stream(res, head, body, never)
      .then(() => {})
      .catch(() => {});
  expect((await ask()).text).toBe(null);
  expect(state.closed).toBe(true);
});

it('ends with its signal, with its reason, and with a client that is gone before it began', async () => {
  const [end, why] = [new AbortController(), new Error('no right')];
  async function* endless() {
    for (;;) {
      await setImmediate();
      yield Buffer.alloc(300_000);
    }
  }
  let failed: unknown;
  handle = (res) => {
    setImmediate().then(() => end.abort(why));
    return stream(res, head, endless(), end.signal).then(
      () => {},
      (error) => {
        failed = error;
        res.destroy();
      },
    );
  };
  expect((await ask()).text).toBe(null);
  expect(failed).toBe(why);
  const gone = Promise.withResolvers<unknown>();
  handle = async (res) => {
    res.destroy();
    await stream(res, head, endless(), never).catch(gone.resolve);
  };
  await ask();
  expect(await gone.promise).toBeInstanceOf(Error);
});
