import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RequestBody } from './request-body.ts';

let handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
const server = createServer((req, res) => void handle(req, res));
beforeAll(() => new Promise<void>((go) => server.listen(0, '127.0.0.1', go)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What is read of a body that `send` writes, and how it ended. The client hears of it in any case but its own end. */
async function read(
  bounds: { max_bytes: number; idle_ms: number },
  send: (client: ReturnType<typeof request>) => void,
  during: (body: RequestBody, text: string) => void = () => {},
) {
  const { promise, resolve } = Promise.withResolvers<{ text: string; end: string | null; failed: boolean }>();
  handle = async (req, res) => {
    const body = new RequestBody(req, bounds);
    let [text, failed] = ['', false];
    try {
      for await (const chunk of body) {
        text += chunk;
        during(body, text);
      }
    } catch {
      failed = true;
    }
    resolve({ text, end: body.end, failed });
    res.end('heard');
  };
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', method: 'PATCH' }).on('error', () => {});
  const heard = new Promise<string>((go) => {
    client.once('response', async (answer) => go(Buffer.concat(await answer.toArray()).toString()));
    client.once('error', () => go('nothing'));
  });
  send(client);
  return { ...(await promise), heard: await heard };
}
const wide = { max_bytes: 1_000, idle_ms: 60_000 };

it('is read to its end, in however many pieces', async () => {
  const sent = (client: ReturnType<typeof request>) => {
    client.write('one ');
    setImmediate(() => client.end('two'));
  };
  expect(await read(wide, sent)).toEqual({ text: 'one two', end: 'complete', failed: false, heard: 'heard' });
  const none = await read(wide, (client) => void client.end());
  expect(none).toMatchObject({ text: '', end: 'complete', failed: false });
});

it('ends when nothing comes for long, when it is too large, when it is stopped, and with its client', async () => {
  const write = (client: ReturnType<typeof request>) => void client.write('abc');
  expect(await read({ ...wide, idle_ms: 50 }, write)).toMatchObject({
    ...{ text: 'abc', end: 'idle', failed: true, heard: 'heard' },
  });
  expect(await read({ ...wide, max_bytes: 2 }, write)).toMatchObject({
    ...{ text: '', end: 'too_large', failed: true, heard: 'heard' },
  });
  const stopped = await read(wide, write, (body) => body.stop());
  expect(stopped).toMatchObject({ text: 'abc', end: 'stopped', failed: true, heard: 'heard' });
  let client: ReturnType<typeof request>;
  const gone = await read(
    wide,
    (one) => {
      client = one;
      one.write('abc');
    },
    () => client.destroy(),
  );
  expect(gone).toMatchObject({ text: 'abc', end: 'client_gone', failed: true });
});
