import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Refused } from '#db/platform/errors.ts';
import {
  askFiles,
  type FileQueryOutput,
  type ServerOnNode,
  type TransferContext,
} from '../agents/ask-files.ts';
import type { AgentRequest } from '../planes/addresses.ts';
import type { ConflictChoice } from '../protocol/files.ts';
import { meetAgent } from './meet-agent.ts';

/** A pause of the writer that is longer than this ends a stream: the next bytes go by another one. */
const idle_ms = 10_000;
const start_ms = 20_000;

/**
 * The bytes of a file of a server, from `offset` on and at most `length`. The stream has an error when it is cut off, and
 * destroying it ends the transfer. The caller has asked the rules. Refuses as `askFiles`.
 */
export async function readFromAgent(
  context: TransferContext,
  server: ServerOnNode,
  path: string,
  { offset = 0, length }: { offset?: number; length?: number } = {},
): Promise<Readable> {
  const { agent } = await meetAgent(context, server, {
    query: 'send',
    args: (put) => ({ paths: [path], as: 'file', offset, length, put }),
    start_ms,
  });
  const { req, res } = agent;
  req.once('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  req.once('close', () => {
    if (!req.readableEnded) res.destroy();
  });
  return req;
}

/** A file that is written in order; its bytes are at its place after `finish`. */
export interface AgentWriter {
  /** Resolves once more bytes may follow. */
  write(chunk: Uint8Array): Promise<void>;
  /** With `if_etag` only over the file that has it; `''` means that there is none. Refuses as the agent does, such as `file_exists`. */
  finish(on_conflict: ConflictChoice, if_etag?: string): Promise<FileQueryOutput<'upload_finish'>>;
  /** Nothing of it stays. */
  cancel(): Promise<void>;
}

/**
 * Begins to write a file of a server. `bytes`: its size, reserved before the first byte; null when it is not known (SFTP). The
 * caller has asked the rules. Refuses as `askFiles`, such as `disk_full`.
 */
export async function writeToAgent(
  context: TransferContext,
  server: ServerOnNode,
  { path, bytes }: { path: string; bytes: number | null },
): Promise<AgentWriter> {
  const upload_id = randomUUID();
  await askFiles(context, server, 'upload_begin', { upload_id, path, bytes });
  return new UploadWriter(context, server, upload_id);
}

/** One stream to the agent at a time; each begins where the one before ended. */
class UploadWriter implements AgentWriter {
  readonly #context: TransferContext;
  readonly #server: ServerOnNode;
  readonly #upload_id: string;
  #offset = 0;
  #stream: { agent: AgentRequest; answer: Promise<{ offset: number }> } | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** One call after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(context: TransferContext, server: ServerOnNode, upload_id: string) {
    [this.#context, this.#server, this.#upload_id] = [context, server, upload_id];
  }

  write(chunk: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
      clearTimeout(this.#idle);
      const { res } = (await this.#open()).agent;
      if (res.destroyed) throw await this.#failure();
      this.#offset += chunk.length;
      if (!res.write(chunk)) {
        const drained = new AbortController();
        const { signal } = drained;
        await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]);
        drained.abort();
        if (res.destroyed) throw await this.#failure();
      }
      this.#idle = setTimeout(() => void this.#inTurn(() => this.#end()).catch(() => {}), idle_ms).unref();
    });
  }

  finish(on_conflict: ConflictChoice, if_etag?: string): Promise<FileQueryOutput<'upload_finish'>> {
    return this.#inTurn(async () => {
      await this.#end();
      const message = {
        ...{ upload_id: this.#upload_id, on_conflict },
        ...(if_etag === undefined ? {} : { if_etag }),
      };
      return await askFiles(this.#context, this.#server, 'upload_finish', message);
    });
  }

  async cancel(): Promise<void> {
    clearTimeout(this.#idle);
    this.#stream?.agent.res.destroy();
    this.#stream = null;
    await askFiles(this.#context, this.#server, 'upload_cancel', { upload_id: this.#upload_id });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #open() {
    if (this.#stream) return this.#stream;
    const offset = this.#offset;
    const stream = await meetAgent(this.#context, this.#server, {
      query: 'upload_receive',
      args: (get) => ({ upload_id: this.#upload_id, offset, get }),
      start_ms,
    });
    stream.agent.res.writeHead(200, {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
    });
    stream.agent.res.on('error', () => {});
    this.#stream = stream;
    return stream;
  }

  /** Ends the stream and makes sure that all bytes arrived. */
  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const stream = this.#stream;
    if (!stream) return;
    this.#stream = null;
    stream.agent.res.end();
    const { offset } = await stream.answer;
    if (offset !== this.#offset) throw new Refused('upload_offset_wrong');
  }

  /** Why the agent stopped fetching. */
  async #failure(): Promise<unknown> {
    const answer = this.#stream?.answer;
    this.#stream = null;
    return (
      (await answer?.then(
        () => null,
        (error: unknown) => error,
      )) ?? new Refused('server_unreachable')
    );
  }
}
