import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { backupKey } from '#db/hosting/servers/backups/stored-names.ts';
import {
  type BackupTransfer,
  dropBackupTransfer,
  recordArrived,
  redeemBackupTransfer,
  renewBackupTransfer,
} from '#db/hosting/servers/backups/transfers.ts';
import { Refused } from '#db/platform/errors.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import type { PlaneContext } from '../context.ts';
import { sendJson } from './answer.ts';

type Context = Pick<PlaneContext, 'sql' | 'storage' | 'now' | 'log'>;

/** A transfer in which nothing moves for so long has lost the other side. */
const idle_ms = 60_000;
/** How often a transfer says that it goes on. */
const renew_ms = 60_000;
/** Transfers of backups at this plane at the same time. */
const max_transfers = 100;
/** How long the rest of a refused body is read, so that the agent hears why. */
const drain_ms = 10_000;

/**
 * Files of backups between agents and the storage of the platform, at addresses that work once (`/transfers?backup=`). Any plane
 * serves any of them. What is sent is staged, and gets its name only when the agent has said that exactly this is what it sent
 * (`commitBackupTransfer`). Source: hosting §1d, §5.6.
 */
export class StoredBackups {
  readonly #context: Context;
  readonly #idle_ms: number;
  #open = 0;

  constructor(context: Context, limits: { idle_ms?: number } = {}) {
    [this.#context, this.#idle_ms] = [context, limits.idle_ms ?? idle_ms];
  }

  /**
   * Answers PUT and GET of an agent. Refuses `ticket_invalid`, `busy`, `body_too_large`, `storage_full`, `backup_not_found`, and
   * `backup_target_failed` when the storage does not work.
   */
  async handle(req: IncomingMessage, res: ServerResponse, secret: string): Promise<void> {
    if (this.#open >= max_transfers) return refuse(req, new Refused('busy'));
    const direction = req.method === 'PUT' ? 'to' : 'from';
    const { sql, now } = this.#context;
    this.#open += 1;
    try {
      const transfer = await redeemBackupTransfer(sql, { secret, direction }, now());
      if (direction === 'to') await this.#receive(transfer, req, res);
      else await this.#send(transfer, res);
    } catch (error) {
      refuse(req, error);
    } finally {
      this.#open -= 1;
    }
  }

  async #receive(transfer: BackupTransfer, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { sql, storage, now } = this.#context;
    const { hash, staged, max_bytes } = transfer;
    const sum = createHash('sha256');
    let bytes = 0;
    const given_up = new AbortController();
    const renewal = setInterval(() => {
      renewBackupTransfer(sql, hash, now()).then(
        (goes_on) => goes_on || given_up.abort(),
        () => {}, // the next one
      );
    }, renew_ms);
    const content = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (given_up.signal.aborted) throw new Refused('ticket_invalid');
        bytes += chunk.length;
        if (bytes > max_bytes) throw new Refused('body_too_large', { limit_bytes: max_bytes });
        sum.update(chunk);
        yield chunk;
      }
      // a body that was cut off ends with an error
      if (!req.complete) throw new Refused('backup_target_failed', { problem: 'the connection was lost' });
    };
    try {
      const said = Number(req.headers['content-length'] ?? 0);
      if (said > max_bytes) throw new Refused('body_too_large', { limit_bytes: max_bytes });
      const body = content(notIdle(req.iterator({ destroyOnReturn: false }), this.#idle_ms));
      const size = await this.#storing(() => storage.appendPartial(staged, 0, body));
      if (size !== bytes)
        throw new Refused('backup_target_failed', { problem: `it has ${size} of ${bytes} bytes` });
      const arrived = { bytes, sha256: sum.digest('hex') };
      if (!(await recordArrived(sql, hash, arrived, now()))) throw new Refused('ticket_invalid');
      sendJson(res, 200, arrived);
    } catch (error) {
      // what cannot be discarded now is found by its row
      await dropBackupTransfer(sql, storage, transfer).catch((err) =>
        this.#context.log.warn({ err }, 'What arrived of a backup could not be discarded yet'),
      );
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  async #send(transfer: BackupTransfer, res: ServerResponse): Promise<void> {
    const { sql, storage } = this.#context;
    const key = backupKey(transfer.server_id, transfer.name);
    try {
      const object = await this.#storing(() => storage.head(key));
      const content = object && (await this.#storing(() => storage.read(key)));
      if (!content) throw new Refused('backup_not_found');
      await this.#pass(content, object.size, res);
    } finally {
      await dropBackupTransfer(sql, storage, transfer).catch(() => {}); // it expires
    }
  }

  /** Passes a file on. One that is not as long as the storage said, or stops, is cut off, so that it does not look complete. */
  async #pass(content: Readable, size: number, res: ServerResponse): Promise<void> {
    const idle = setTimeout(() => content.destroy(new Error('nothing moved')), this.#idle_ms);
    let sent = 0;
    try {
      res.writeHead(200, {
        ...{ 'content-type': 'application/octet-stream', 'content-length': size },
        'cache-control': 'no-store',
      });
      await pipeline(
        content,
        async function* (chunks: AsyncIterable<Buffer>) {
          let last: Buffer | null = null;
          for await (const chunk of chunks) {
            idle.refresh();
            sent += chunk.length;
            if (sent > size) throw new Error('the storage gave more bytes than it said');
            if (last) yield last;
            last = chunk;
          }
          if (sent < size) throw new Error('the storage gave fewer bytes than it said');
          if (last) yield last;
        },
        res,
      );
    } catch (err) {
      this.#context.log.warn({ err, sent, size }, 'A backup could not be sent to an agent');
      res.destroy();
    } finally {
      clearTimeout(idle);
    }
  }

  /** What the storage does; what it throws other than a refusal is logged, and is refused as `backup_target_failed`. */
  async #storing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const refused = toRefused(error);
      if (refused) throw refused;
      const { code, message } = error as NodeJS.ErrnoException;
      this.#context.log.error({ err: error }, 'The storage of backups does not work');
      throw new Refused('backup_target_failed', { problem: code ?? message });
    }
  }
}

/** Throws the refusal after making sure that the agent hears it: the rest of its body is read for a moment. */
function refuse(req: IncomingMessage, error: unknown): never {
  if (!req.complete && !req.destroyed) {
    req.on('error', () => {});
    req.resume();
    const timer = setTimeout(() => req.destroy(), drain_ms).unref();
    req.once('close', () => clearTimeout(timer));
  }
  throw error;
}

/** Fails when no chunk comes for `idle_ms`; the time that the reader takes does not count. */
async function* notIdle(chunks: AsyncIterator<Buffer>, idle_ms: number): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(lost('nothing came for a minute')), idle_ms);
      const coming = chunks.next().catch(() => {
        throw lost('the connection was lost');
      });
      coming.catch(() => {});
      const next = await Promise.race([coming, late.promise]).finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // the rest of the body is not read here; it waits for nothing, since nothing may come
    void chunks.return?.().then(undefined, () => {});
  }
}

const lost = (problem: string): Refused => new Refused('backup_target_failed', { problem });
