import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * A server with the pages of `origin` without scripts: removes everything executable and sends the rest unchanged,
 * from memory after the first request. Gives its address.
 */
export async function withoutScripts(origin: string): Promise<{ url: string; stop(): Promise<void> }> {
  const kept = new Map<string, Promise<Answer>>();
  const server = createServer(async (req, res) => {
    const path = req.url ?? '/';
    const known = kept.get(path) ?? stripped(origin + path);
    kept.set(path, known);
    const { status, headers, body } = await known;
    res.writeHead(status, headers).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Elements that run or fetch scripts; data blocks stay. */
const running =
  /<script(?![^>]*type="application\/(?:ld\+)?json")[^>]*>.*?<\/script>|<link[^>]*rel="modulepreload"[^>]*>/gs;

async function stripped(url: string): Promise<Answer> {
  const plain = await asked(url, 'identity');
  if (!plain.headers['content-type']?.startsWith('text/html')) return await asked(url, 'br');
  const body = brotliCompressSync(plain.body.toString().replace(running, ''));
  return {
    ...plain,
    headers: { ...plain.headers, 'content-encoding': 'br', 'content-length': String(body.length) },
    body,
  };
}

/** The raw response; `fetch` would decompress it. */
async function asked(url: string, coding: string): Promise<Answer> {
  return await new Promise((done, fail) => {
    request(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': coding } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { connection: _c, 'keep-alive': _k, 'transfer-encoding': _t, ...headers } = answer.headers;
      done({ status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
    })
      .on('error', fail)
      .end();
  });
}
