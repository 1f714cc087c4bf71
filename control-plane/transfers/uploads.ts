import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { assertAllowed, Refused } from '#db/errors.ts';
import { max_upload_request_bytes } from '#db/http-limits.ts';
import { isRestoring } from '#db/servers/operations.ts';
import { whyNotChangeFiles } from '#db/servers/rules.ts';
import {
  deleteUpload,
  type FoundUpload,
  findUpload,
  holdUpload,
  releaseUpload,
  upload_hold_ms,
} from '#db/servers/uploads.ts';
import { askFiles, type ServerOnNode } from '../agents/ask-files.ts';
import type { PlaneContext } from '../context.ts';
import { meetAgent } from './meet-agent.ts';
import type { OpenTransfer, OpenTransfers } from './open-transfers.ts';
import { type PumpEnd, pump } from './pump.ts';

/** A client that sends nothing for so long is gone; its next request goes on where it was. */
const idle_ms = 30_000;
const start_ms = 20_000;
/** How long an agent may take to store the last bytes. */
const settle_ms = 30_000;

const version = '1.0.0';
const methods = 'OPTIONS, HEAD, PATCH, DELETE';

/**
 * Uploads to the folder of a server by the tus protocol 1.0: their addresses are made by `files.upload`, their bytes go through
 * to the agent, which says where they go on. Any plane takes any request. Source: tus (core, termination).
 */
export class Uploads {
  readonly #context: PlaneContext;
  readonly #open: OpenTransfers;

  constructor(context: PlaneContext, open: OpenTransfers) {
    [this.#context, this.#open] = [context, open];
  }

  /** Answers a request at the address with this secret. Refuses as `findUpload`, `whyNotChangeFiles` and the agent. */
  async handle(req: IncomingMessage, res: ServerResponse, secret: string): Promise<void> {
    res.setHeader('tus-resumable', version);
    res.setHeader('cache-control', 'no-store');
    const { method } = req;
    if (method === 'OPTIONS') {
      const offered = { 'tus-version': version, 'tus-extension': 'termination', allow: methods };
      res.writeHead(204, offered).end();
      return;
    }
    if (method !== 'HEAD' && method !== 'PATCH' && method !== 'DELETE') {
      res.setHeader('allow', methods);
      throw new Refused('upload_method_unknown');
    }
    if (req.headers['tus-resumable'] !== version) {
      res.setHeader('tus-version', version);
      throw new Refused('upload_protocol', { version });
    }
    const { sql, now } = this.#context;
    const upload = await findUpload(sql, secret, now());
    const server = { id: upload.server.view.id, node_id: upload.server.node_id };
    if (method === 'HEAD') return await this.#tellOffset(upload, server, res);
    if (method === 'DELETE') return await this.#cancel(upload, server, res);
    const restoring = await isRestoring(sql, server.id);
    assertAllowed(whyNotChangeFiles({ ...upload.server.facts, restoring }), { by: 'backup_restore' });
    const offset = await this.#append(upload, server, req);
    res.writeHead(204, { 'upload-offset': offset }).end();
  }

  async #tellOffset({ upload_id }: FoundUpload, server: ServerOnNode, res: ServerResponse): Promise<void> {
    const { offset, bytes } = await askFiles(this.#context, server, 'upload_offset', { upload_id });
    const size = bytes === null ? {} : { 'upload-length': bytes };
    res.writeHead(200, { 'upload-offset': offset, ...size }).end();
  }

  async #cancel({ upload_id }: FoundUpload, server: ServerOnNode, res: ServerResponse): Promise<void> {
    await askFiles(this.#context, server, 'upload_cancel', { upload_id });
    await deleteUpload(this.#context.sql, upload_id);
    res.writeHead(204).end();
  }

  /** Appends the body, and gives the offset after it. Before that is said, the next request may come. */
  async #append(upload: FoundUpload, server: ServerOnNode, req: IncomingMessage): Promise<number> {
    const { sql, now, id } = this.#context;
    const from = offsetOf(req);
    const { upload_id } = upload;
    const held = { upload_id, holder: `${id} ${randomUUID()}` };
    if (!(await holdUpload(sql, held, now()))) throw new Refused('upload_busy');
    const cut = new AbortController();
    const renewal = setInterval(() => {
      holdUpload(sql, held, now()).then(
        (has) => has || cut.abort(),
        () => {}, // the next one, or its end
      );
    }, upload_hold_ms / 4);
    const { user_id, token_hash } = upload;
    const opened: OpenTransfer = {
      ...{ server_id: server.id, user_id, token_hash, kind: 'upload', ticket: 'upload' },
      end: () => cut.abort(),
    };
    try {
      this.#open.add(opened);
      const offset = await this.#pass(upload_id, server, { req, from, signal: cut.signal });
      if (cut.signal.aborted) throw new Refused('ticket_invalid');
      return offset;
    } finally {
      this.#open.delete(opened);
      clearInterval(renewal);
      await releaseUpload(sql, held);
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
    if (end === 'too_large') throw tooLarge();
    if (!settled) throw new Refused('server_unreachable');
    return settled.offset;
  }
}

const tooLarge = () => new Refused('body_too_large', { limit_bytes: max_upload_request_bytes });

/** The offset of a PATCH. Refuses `upload_request_invalid` and `body_too_large` before its body is read. */
function offsetOf({ headers }: IncomingMessage): number {
  const text = headers['upload-offset'];
  if (headers['content-type'] !== 'application/offset+octet-stream' || !/^\d{1,15}$/.test(String(text)))
    throw new Refused('upload_request_invalid');
  if (Number(headers['content-length'] ?? 0) > max_upload_request_bytes) throw tooLarge();
  return Number(text);
}
