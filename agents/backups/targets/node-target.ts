import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupError, targetFailed } from '../error.ts';
import type { BackupTarget } from './target.ts';

const chunk_bytes = 1024 * 1024;

/**
 * The disk of this node: `<folder>/<server>/<name>`. A file is written as `.part` and gets its name when it is on the disk.
 */
export class NodeTarget implements BackupTarget {
  readonly local = {
    part: async (server_id: string, name: string): Promise<string> => {
      const folder = join(this.#folder, server_id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return join(folder, `${name}.part`);
    },
    publish: async (server_id: string, name: string): Promise<void> => {
      const folder = join(this.#folder, server_id);
      await rename(join(folder, `${name}.part`), join(folder, name));
      await syncFolder(folder);
    },
    find: (server_id: string, name: string): Promise<string> => this.#find(server_id, name),
  };
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(server_id: string, name: string, content: AsyncIterable<Buffer>, signal: AbortSignal) {
    const part = await this.local.part(server_id, name).catch((error) => {
      throw targetFailed(error);
    });
    try {
      const file = createWriteStream(part, { mode: 0o600, flush: true, highWaterMark: chunk_bytes });
      await pipeline(content, file, { signal });
      await this.local.publish(server_id, name);
    } catch (error) {
      await rm(part, { force: true }).catch(() => {});
      throw signal.aborted ? new BackupError('cancelled') : targetFailed(error);
    }
  }

  async *get(server_id: string, name: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const path = await this.#find(server_id, name);
    try {
      yield* createReadStream(path, { highWaterMark: chunk_bytes, signal });
    } catch (error) {
      throw signal.aborted ? new BackupError('cancelled') : targetFailed(error);
    }
  }

  async remove(server_id: string, name: string): Promise<void> {
    await rm(join(this.#folder, server_id, `${name}.part`), { force: true });
    const path = await this.#find(server_id, name).catch(() => null);
    if (path) await rm(path, { force: true });
  }

  async #find(server_id: string, name: string): Promise<string> {
    const path = join(this.#folder, server_id, name);
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (!there) throw new BackupError('backup_not_found');
    return path;
  }
}

/** Makes new names of a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
