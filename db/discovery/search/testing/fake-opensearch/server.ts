import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { badRequest, ErrorReply, type Json } from './errors.ts';
import { IndexStore } from './indices.ts';
import { routesOf } from './routes.ts';

export interface FakeServer {
  url: string;
  /** Names of the existing indices. */
  indices(): string[];
  /** Methods and paths of requests, in order. */
  requests: string[];
  /** Answers every request with this status, until `null`; 'silence' leaves requests without a response. */
  answerWith(status: number | 'silence' | null): void;
  close(): Promise<void>;
}

/**
 * A fake OpenSearch server for tests: stores data in memory, supports the requests our code makes, and rejects
 * everything else: paths, parameters, fields, clauses. With `credentials` ("name:password") it requires them.
 */
export async function fakeServer({ credentials }: { credentials?: string } = {}): Promise<FakeServer> {
  const indices = new IndexStore();
  const known = routesOf(indices);
  const requests: string[] = [];
  let instead: number | 'silence' | null = null;

  async function answer(req: IncomingMessage): Promise<Json> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://stand-in');
    requests.push(`${req.method} ${pathname}`);
    const body = await text(req);
    if (credentials && req.headers.authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`)
      throw new ErrorReply(401, 'security_exception', 'missing authentication credentials');
    if (typeof instead === 'number') throw new ErrorReply(instead, 'rejected_execution_exception', 'busy');
    for (const [method, path, parameters, handle] of known) {
      const match = method === req.method ? path.exec(decodeURIComponent(pathname)) : null;
      if (!match) continue;
      for (const name of searchParams.keys())
        if (!parameters.includes(name)) throw badRequest(`unrecognized parameter: [${name}]`);
      return handle({ name: match[1] ?? '', rest: match[2] ?? '', query: searchParams, body });
    }
    throw badRequest(`no handler found for uri [${pathname}] and method [${req.method}]`);
  }

  const reply = (res: ServerResponse, status: number, body: Json) =>
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((req, res) => {
    if (instead === 'silence') return;
    answer(req).then(
      (body) => reply(res, 200, body),
      (error: unknown) =>
        error instanceof ErrorReply
          ? reply(res, error.status, error.body)
          : reply(res, 400, { error: { type: 'parse_exception', reason: String(error) }, status: 400 }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`,
    indices: () => [...indices.indices.keys()].sort(),
    requests,
    answerWith: (status) => {
      instead = status;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
