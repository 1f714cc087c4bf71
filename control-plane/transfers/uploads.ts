import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Refused } from '#db/platform/errors.ts';
import { max_upload_request_bytes } from '#db/platform/http-limits.ts';
import type { ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { admitTus, bodyTooLarge, tusOffset } from '../protocol/tus.ts';
import { meetAgent } from './meet-agent.ts';
import { type PumpEnd, pump } from './pump.ts';
import type { UploadAccess } from './upload-access.ts';

/** A client that sends nothing for so long is gone; its next request goes on where it was. */
const idle_ms = 30_000;
const start_ms = 20_000;
/** How long an agent may take to store the last bytes. */
const settle_ms = 30_000;

/**
 * Uploads to the folder of a server by the tus protocol 1.0: their addresses are made by `files.upload`, their bytes go through
 * to the agent, which says where they go on. Any plane takes any request.
 */
export class Uploads {
  readonly #context: PlaneContext;
  readonly #access: UploadAccess;

  constructor(context: PlaneContext, access: UploadAccess) {
    [this.#context, this.#access] = [context, access];
  }

  /** Answers a request at the address with this secret. Refuses as `admitTus`, `UploadAccess` and the agent. */
  async handle(req: IncomingMessage, res: ServerResponse, secret: string): Promise<void> {
    const method = admitTus(req, res);
    if (method === 'HEAD') {
      const { offset, bytes } = await this.#access.offset({ secret });
      const size = bytes === null ? {} : { 'upload-length': bytes };
      res.writeHead(200, { 'upload-offset': offset, ...size }).end();
    } else if (method === 'DELETE') {
      await this.#access.cancel({ secret });
      res.writeHead(204).end();
    } else if (method === 'PATCH') {
      const offset = await this.#append(secret, req);
      res.writeHead(204, { 'upload-offset': offset }).end();
    }
  }

  /** Appends the body, and gives the offset after it. Before that is said, the next request may come. */
  async #append(secret: string, req: IncomingMessage): Promise<number> {
    const cut = new AbortController();
    const from = tusOffset(req);
    const { upload_id, server, release } = await this.#access.hold({ secret }, () => cut.abort());
    try {
      const offset = await this.#pass(upload_id, server, { req, from, signal: cut.signal });
      if (cut.signal.aborted) throw new Refused('ticket_invalid');
      return offset;
    } finally {
      await release();
    }
  }

  /** Passes the body on to the agent, and gives the offset after it. */
  async #pass(
    upload_id: string,
    server: ServerOnNode,
    { req, from, signal }: { req: IncomingMessage; from: number; signal: AbortSignal },
  ): Promise<number> {
    const { agent, answer } = await meetAgent(this.#context, server, {
      query: 'upload_receive',
      args: (get) => ({ upload_id, offset: from, get }),
      start_ms,
      signal,
    });
    const length = req.headers['content-length'];
    agent.res.writeHead(200, {
      ...{ 'content-type': 'application/octet-stream', 'cache-control': 'no-store' },
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    const end: PumpEnd = await pump(req, agent.res, { max_bytes: max_upload_request_bytes, idle_ms, signal });
    // also of a body that was cut off: only then the next request may go on
    const late = new AbortController();
    const settled = await Promise.race([
      answer.finally(() => late.abort()),
      setTimeout(settle_ms, null, { signal: late.signal }).catch(() => null),
    ]).catch((error: unknown) => {
      if (end === 'complete' || end === 'agent_gone') throw error;
      return null;
    });
    if (end === 'too_large') throw bodyTooLarge();
    if (!settled) throw new Refused('server_unreachable');
    return settled.offset;
  }
}
