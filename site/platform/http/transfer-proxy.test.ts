import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import { isTransferPath, loggedPath, transferProxy } from './transfer-proxy.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((go) => server.close(go));
  }
});
async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('transfers of archives', () => {
  it('are forwarded in both directions, with only the needed headers', async () => {
    const known: Array<{ method: string; url: string; cookie: unknown; bytes: number }> = [];
    const url = await serve(async (req, res) => {
      let bytes = 0;
      for await (const chunk of req) bytes += (chunk as Buffer).length;
      known.push({ method: req.method!, url: req.url!, cookie: req.headers.cookie, bytes });
      res.writeHead(200, {
        'content-type': 'application/zstd',
        'set-cookie': 'a=b',
        'content-disposition': 'attachment',
      });
      res.end(Buffer.alloc(1_000_000, 1));
    });
    const site = await serve(transferProxy({ url }));
    const got = await fetch(new URL('/transfers?ticket=abc', site), {
      headers: { cookie: 'auth-token=mra_x' },
    });
    expect((await got.arrayBuffer()).byteLength).toBe(1_000_000);
    expect([got.headers.get('content-type'), got.headers.get('content-disposition')]).toEqual([
      ...['application/zstd', 'attachment'],
    ]);
    expect(got.headers.get('set-cookie')).toBe(null);
    const brought = await fetch(new URL('/transfers?to=x', site), {
      method: 'PUT',
      body: Buffer.alloc(700_000),
    });
    expect(brought.status).toBe(200);
    expect(known).toEqual([
      { method: 'GET', url: '/transfers?ticket=abc', cookie: undefined, bytes: 0 },
      { method: 'PUT', url: '/transfers?to=x', cookie: undefined, bytes: 700_000 },
    ]);
  });

  it.each(['HEAD', 'DELETE', 'POST', 'PATCH', 'OPTIONS'])('refuse the method %s', async (method) => {
    let requests = 0;
    const url = await serve((_req, res) => {
      requests += 1;
      res.end();
    });
    const site = await serve(transferProxy({ url }));
    const body = method === 'HEAD' ? {} : { body: 'x' };
    const answer = await fetch(new URL('/transfers?ticket=abc', site), { method, ...body });
    expect([answer.status, answer.headers.get('allow'), requests]).toEqual([405, 'GET, PUT', 0]);
  });

  it.each(['content-length: 5\r\n\r\nhello', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'])(
    'refuse a download with a body (%j)',
    async (rest) => {
      let requests = 0;
      const url = await serve((_req, res) => {
        requests += 1;
        res.end();
      });
      const { port } = await serve(transferProxy({ url }));
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET /transfers?ticket=abc HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${rest}`);
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect([answer.split('\r\n', 1)[0], requests]).toEqual(['HTTP/1.1 400 Bad Request', 0]);
    },
  );

  it('are aborted on both sides when one side aborts', async () => {
    const url = await serve((_req, res) => {
      res.write(Buffer.alloc(1_000), () => res.destroy());
    });
    const site = await serve(transferProxy({ url }));
    await expect(
      fetch(new URL('/transfers?ticket=abc', site)).then((answer) => answer.arrayBuffer()),
    ).rejects.toThrow();
  });

  it('are refused while the control plane is down', async () => {
    const site = await serve(transferProxy({ socketPath: '/nowhere/control.sock' }));
    const answer = await fetch(new URL('/transfers?ticket=abc', site));
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'busy' }]);
  });
});

describe('uploads to game servers', () => {
  it('pass with what tus needs, in both directions, while their body arrives', async () => {
    const known: object[] = [];
    const url = await serve(async (req, res) => {
      const { method, headers } = req;
      let text = '';
      for await (const chunk of req) text += String(chunk);
      known.push({ method, text, offset: headers['upload-offset'], tus: headers['tus-resumable'] });
      res.writeHead(method === 'HEAD' ? 200 : 204, {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '5', 'upload-length': '9', 'set-cookie': 'a=b' },
      });
      res.end();
    });
    const site = await serve(transferProxy({ url }));
    const address = new URL('/transfers/uploads/sfu_abc', site);
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', cookie: 'auth-token=mra_x' };
    for (const method of ['OPTIONS', 'HEAD', 'DELETE', 'PATCH']) {
      const body = method === 'PATCH' ? { body: 'world' } : {};
      const answer = await fetch(address, { method, headers, ...body });
      expect(answer.headers.get('upload-offset')).toBe('5');
      expect(answer.headers.get('set-cookie')).toBe(null);
    }
    expect(known.at(-1)).toEqual({ method: 'PATCH', text: 'world', offset: '0', tus: '1.0.0' });
  });

  it('hear a refusal that comes before their body has ended', async () => {
    const url = await serve((req, res) => {
      req.resume();
      res.writeHead(507, { 'content-type': 'application/json' }).end('{"error":"disk_full"}');
    });
    const site = await serve(transferProxy({ url }));
    let left = 20;
    const body = new ReadableStream({
      pull(stream) {
        if (left-- > 0) stream.enqueue(new Uint8Array(100_000));
        else stream.close();
      },
    });
    const patch = { method: 'PATCH', body, duplex: 'half' } as RequestInit;
    const answer = await fetch(new URL('/transfers/uploads/sfu_abc', site), patch);
    expect([answer.status, await answer.json()]).toEqual([507, { error: 'disk_full' }]);
  });

  it('have a size and methods', async () => {
    let requests = 0;
    const url = await serve((_req, res) => {
      requests += 1;
      res.end();
    });
    const site = await serve(transferProxy({ url }));
    const { port } = site;
    const socket = connect(Number(port), '127.0.0.1');
    const head = `PATCH /transfers/uploads/sfu_abc HTTP/1.1\r\nhost: a\r\nconnection: close\r\n`;
    socket.write(`${head}content-length: ${max_upload_request_bytes + 1}\r\n\r\n`);
    const [answer] = await socket.take(1).toArray();
    expect(String(answer).split('\r\n', 1)[0]).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
    const got = await fetch(new URL('/transfers/uploads/sfu_abc', site));
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'OPTIONS, HEAD, PATCH, DELETE']);
    expect(requests).toBe(0);
  });

  it('have addresses whose secret no log has', () => {
    const paths = ['/transfers', '/transfers/uploads/sfu_abc', '/transfers/uploads/', '/transfers/other'];
    expect(paths.map(isTransferPath)).toEqual([true, true, false, false]);
    expect(paths.map(loggedPath)).toEqual([
      ...['/transfers', '/transfers/uploads/…', '/transfers/uploads/', '/transfers/other'],
    ]);
  });
});
