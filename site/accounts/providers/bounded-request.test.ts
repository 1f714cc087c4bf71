import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { boundedJson, boundedText } from './bounded-request.ts';

let server: Server;
async function answering(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const asking = { provider: 'Guild', limit_ms: 150 };

test('a provider that never answers counts as away', async () => {
  const url = await answering(() => {});
  await expect(boundedText(url, {}, asking)).rejects.toMatchObject({ code: 'provider_away' });
});

test('a provider whose answer trickles counts as away', async () => {
  const url = await answering((_req, res) => {
    res.write('{');
    const trickle = setInterval(() => res.write(' '), 20);
    res.on('close', () => clearInterval(trickle));
  });
  await expect(boundedText(url, {}, asking)).rejects.toMatchObject({ code: 'provider_away' });
});

test('a provider that nobody runs counts as away', async () => {
  const url = await answering(() => {});
  server.close();
  await expect(boundedText(url, {}, asking)).rejects.toMatchObject({ code: 'provider_away' });
});

test.each(['', 'null', '[]', '"x"', '{', '\0'])('%j is no object', async (body) => {
  const url = await answering((_req, res) => res.end(body));
  await expect(boundedJson(url, {}, asking)).rejects.toMatchObject({ code: 'provider_failed' });
});

test('an answer that never ends is cut off', async () => {
  const url = await answering((_req, res) => {
    const part = 'x'.repeat(64 * 1024);
    const write = () => {
      while (!res.destroyed && res.write(part));
      res.once('drain', write);
    };
    write();
  });
  await expect(boundedText(url, {}, { ...asking, limit_ms: 5000 })).rejects.toMatchObject({
    code: 'provider_failed',
  });
});
