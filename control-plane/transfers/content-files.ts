import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { grantedFile } from '#db/hosting/servers/changes/grants.ts';
import { Refused } from '#db/platform/errors.ts';
import type { PlaneContext } from '../context.ts';

type Context = Pick<PlaneContext, 'sql' | 'storage' | 'now' | 'log'>;

/** Files that this plane sends at the same time. */
const max_open = 200;
/** Of them those with the same secret: one agent that takes them slowly leaves the others theirs. */
const max_open_of_secret = 16;
/** An agent that takes nothing for so long is gone. */
const idle_ms = 60_000;

/**
 * Gives agents the files of the catalogue that a change of content needs (`/transfers?content=`), out of the platform's storage.
 * Any plane serves any of them, and the agent checks their hashes. Source: hosting §1e.
 */
export class ContentFiles {
  readonly #context: Context;
  readonly #open = new Map<ServerResponse, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Sends one file. Refuses `ticket_invalid` for what was not granted, `busy`, and `not_found` when it is not stored any more. */
  async send(res: ServerResponse, secret: string, sha512: string): Promise<void> {
    const of_secret = [...this.#open.values()].filter((one) => one === secret).length;
    if (this.#open.size >= max_open || of_secret >= max_open_of_secret) throw new Refused('busy');
    this.#open.set(res, secret);
    try {
      const { sql, storage, now } = this.#context;
      const isHash = /^[0-9a-f]{128}$/.test(sha512);
      const key = isHash ? await grantedFile(sql, { secret, sha512 }, now()) : null;
      if (key === null) throw new Refused('ticket_invalid');
      const object = await storage.head(key);
      const content = object && (await storage.read(key));
      if (!content) throw new Refused('not_found');
      await this.#pass(content, object.size, res);
    } finally {
      this.#open.delete(res);
    }
  }

  /** The agent sets the pace. What is cut off, or not as long as was said, does not look complete. */
  async #pass(content: Readable, size: number, res: ServerResponse): Promise<void> {
    const idle = setTimeout(() => content.destroy(new Error('nothing moved')), idle_ms).unref();
    try {
      res.writeHead(200, {
        ...{ 'content-type': 'application/octet-stream', 'content-length': size },
        'cache-control': 'no-store',
      });
      await pipeline(
        content,
        async function* (chunks: AsyncIterable<Buffer>) {
          let sent = 0;
          for await (const chunk of chunks) {
            idle.refresh();
            sent += chunk.length;
            yield chunk;
          }
          if (sent !== size) throw new Error(`the storage gave ${sent} of ${size} bytes`);
        },
        res,
      );
    } catch (err) {
      this.#context.log.info({ err, size }, 'A file of content could not be sent to an agent');
      res.destroy();
    } finally {
      clearTimeout(idle);
    }
  }
}
