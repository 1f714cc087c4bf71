import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Refused } from '#db/platform/errors.ts';
import { forwardRequest, hop_header } from './forward.ts';

async function serve(handle: RequestListener, path?: string): Promise<string> {
  const server = createServer(handle);
  server.listen(path ?? 0, ...((path ? [] : ['127.0.0.1']) as never[]));
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return path ? `unix:${path}` : `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A plane that forwards everything to `to`, and answers refusals as planes do. */
const forwarding = (to: () => string | null, from = 'here', limits = {}) =>
  serve((req, res) => {
    forwardRequest({ from, to: to() }, req, res, limits).catch((error: Refused) => {
      res.writeHead(error.status, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: error.code, description: error.message }));
    });
  });
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('a forwarded request', () => {
  it('arrives with method, path, headers and body, and its answer comes back', async () => {
    const there = await serve(async (req, res) => {
      const { method, url, headers } = req;
      const body = await bodyOf(req);
      res.writeHead(207, { 'x-method': method, 'content-type': 'application/json', connection: 'close' });
      res.end(JSON.stringify({ url, headers, hash: hashOf(body), bytes: body.length }));
    });
    const here = await forwarding(() => there);
    const bytes = randomBytes(3_000_000);
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await fetch(`${here}/files?to=x%20y`, {
        method,
        body: Readable.toWeb(Readable.from([bytes.subarray(0, 1_000_000), bytes.subarray(1_000_000)])),
        headers: { 'x-tag': 'stone', 'proxy-authorization': 'secret', te: 'trailers' },
        duplex: 'half',
      } as RequestInit);
      expect([answer.status, answer.headers.get('x-method')]).toEqual([207, method]);
      const got = (await answer.json()) as { headers: object };
      expect(got).toMatchObject({
        ...{ url: '/files?to=x%20y', hash: hashOf(bytes), bytes: bytes.length },
        headers: { 'x-tag': 'stone', [hop_header]: 'here' },
      });
      expect(got.headers).not.toHaveProperty('proxy-authorization');
      expect(got.headers).not.toHaveProperty('te');
    }
    expect((await fetch(`${here}/plain`, { method: 'HEAD' })).headers.get('x-method')).toBe('HEAD');
  });

  it('whose body nobody wants lets the next one of its connection through', async () => {
    const there = await serve((req, res) => {
      if (req.method === 'GET') return void res.end('next');
      req.once('data', () => res.destroy());
    });
    const here = await forwarding(() => there);
    // clients with a pool of connections send the next request as soon as the body is gone
    const socket = connect(Number(new URL(here).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const bytes = 8_000_000;
    socket.write(`PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const answers = Buffer.concat(await socket.toArray()).toString();
    expect(answers.match(/HTTP\/1.1 \d+|plane_away|next$/g)).toEqual([
      ...['HTTP/1.1 503', 'plane_away', 'HTTP/1.1 200', 'next'],
    ]);
  });

  it('goes over a unix socket too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-forward-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const there = await serve((_req, res) => res.end('by socket'), join(folder, 'plane.sock'));
    const here = await forwarding(() => there);
    expect(await (await fetch(here)).text()).toBe('by socket');
  });

  it('is no faster than who reads it: an answer of 200 MB stays out of memory', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const there = await serve((_req, res) => {
      const more = () => {
        while (sent < 200 * 1024 * 1024) {
          sent += chunk.length;
          if (!res.write(chunk)) return void res.once('drain', more);
        }
        res.end();
      };
      more();
    });
    const here = await forwarding(() => there);
    const asked = request(here);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.pause();
    await vi.waitFor(() => expect(sent).toBeGreaterThan(0));
    let before = -1;
    // it stands still once the buffers between are full
    while (before !== sent) {
      before = sent;
      await new Promise((done) => setTimeout(done, 300));
    }
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    let bytes = 0;
    for await (const part of answer) bytes += (part as Buffer).length;
    expect(bytes).toBe(sent);
  });

  it('is never forwarded again: two planes that send it to each other answer 508', async () => {
    let second = '';
    const first = await forwarding(() => second, 'first');
    let asked = 0;
    const counting = await serve((req, res) => {
      asked += 1;
      forwardRequest({ from: 'second', to: first }, req, res).catch((error: Refused) =>
        res.writeHead(error.status).end(JSON.stringify({ error: error.code, description: error.message })),
      );
    });
    second = counting;
    const answer = await fetch(`${first}/transfers?ticket=x`);
    expect([answer.status, asked]).toEqual([508, 1]);
    expect(await answer.json()).toMatchObject({ error: 'plane_loop', description: expect.any(String) });
  });

  it('is refused when the plane is not known, is away, or does not answer', async () => {
    const refusal = async (to: string | null, limits = {}) => {
      const answer = await fetch(await forwarding(() => to, 'here', limits), { method: 'POST', body: 'x' });
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    const silent = createTcp((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    expect(await refusal(null)).toEqual([503, 'plane_away']);
    expect(await refusal('http://127.0.0.1:1')).toEqual([503, 'plane_away']);
    expect(await refusal('unix:/nowhere/plane.sock')).toEqual([503, 'plane_away']);
    expect(await refusal(`http://127.0.0.1:${port}`, { idle_ms: 200 })).toEqual([503, 'plane_away']);
  });

  it('whose answer is cut off does not look complete', async () => {
    const there = await serve((_req, res) => {
      res.writeHead(200);
      res.write('half');
      setTimeout(() => res.destroy(), 50);
    });
    const answer = await fetch(await forwarding(() => there));
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('ends there when its sender goes away', async () => {
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const there = await serve((req) => {
      begun.resolve();
      req.on('error', () => {}).once('close', () => ended.resolve());
      req.resume();
    });
    const { port } = new URL(await forwarding(() => there));
    const sender: Socket = connect(Number(port), '127.0.0.1');
    sender.write('PUT /x HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nsome');
    await begun.promise;
    sender.destroy();
    await ended.promise;
  });
});
