import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { PageKey } from './key.ts';

const timeout_ms = 30_000;

/** A response that was not sent yet. */
export interface Captured {
  status: number;
  headers: Array<[name: string, value: string]>;
  body: Buffer;
}

/**
 * An anonymous request for the page of `key`: only the address and the language. So no cookie, header or host name of
 * the first requester gets into a shared page.
 */
export function anonymousRequest(key: PageKey, siteUrl: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.method = 'GET';
  req.url = key.url;
  const { host, protocol } = new URL(siteUrl);
  req.headers = {
    host,
    accept: 'text/html',
    'accept-language': key.language,
    cookie: `locale=${key.language}`,
    'x-forwarded-proto': protocol.slice(0, -1),
  };
  req.rawHeaders = Object.entries(req.headers).flat() as string[];
  req.complete = true;
  req.push(null);
  return req;
}

/** Buffers what is written instead of sending it. */
class CapturedResponse extends ServerResponse {
  readonly chunks: Buffer[] = [];

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    const given = rest.find((one) => typeof one === 'object') as
      | OutgoingHttpHeaders
      | OutgoingHttpHeader[]
      | undefined;
    const pairs = Array.isArray(given) ? inPairs(given) : Object.entries(given ?? {});
    for (const [name, value] of pairs) if (value !== undefined) this.setHeader(name, value as string);
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    this.chunks.push(bytesOf(chunk, encoding));
    call(encoding, done);
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function')
      this.chunks.push(bytesOf(chunk, encoding));
    this.finished = true;
    this.emit('finish');
    this.emit('close');
    call(chunk, encoding, done);
    return this;
  }

  override flushHeaders(): void {}
}

const inPairs = (flat: readonly unknown[]): Array<[string, unknown]> =>
  Array.isArray(flat[0])
    ? (flat as Array<[string, unknown]>)
    : flat.flatMap((name, index) =>
        index % 2 === 0 ? [[String(name), flat[index + 1]] as [string, unknown]] : [],
      );

const bytesOf = (chunk: unknown, encoding: unknown): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : Buffer.from(chunk as Uint8Array);

function call(...maybe: unknown[]): void {
  const done = maybe.find((one) => typeof one === 'function') as (() => void) | undefined;
  if (done) queueMicrotask(done);
}

/** Calls `answer` with a response that buffers everything. Rejects when `answer` does. */
export async function capture(
  req: IncomingMessage,
  answer: (req: IncomingMessage, res: ServerResponse) => unknown,
): Promise<Captured> {
  const res = new CapturedResponse(req);
  const { promise: ended, resolve: end, reject: giveUp } = Promise.withResolvers<void>();
  const clock = setTimeout(
    () => giveUp(new Error(`The page ${req.url} never ended its response`)),
    timeout_ms,
  ).unref();
  res.once('finish', end);
  try {
    await Promise.race([Promise.all([answer(req, res), ended]), ended]);
  } finally {
    // also when `answer` throws: nobody waits for `ended` then, and its rejection would end the process
    clearTimeout(clock);
  }
  const headers = Object.entries(res.getHeaders()).flatMap(
    ([name, value]): Array<[string, string]> =>
      Array.isArray(value) ? value.map((one) => [name, one]) : [[name, String(value)]],
  );
  return { status: res.statusCode, headers, body: Buffer.concat(res.chunks) };
}
