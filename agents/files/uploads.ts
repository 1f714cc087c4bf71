import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { FileError } from './file-error.ts';
import { type Folder, unless } from './folder.ts';
import { namesIn } from './names-in.ts';
import type { Reservation } from './quota.ts';
import { removeAll } from './remove.ts';
import type { Tree } from './tree.ts';

/** An upload that got nothing for this long is given up; a finished one is remembered for a repeated request. */
const unfinished_ms = 24 * 3_600_000;
const finished_ms = 3_600_000;
/** Uploads of one server at a time. */
const max_uploads = 2_000;

const meta = z.object({
  path: z.string(),
  bytes: z.number().nullable(),
  begun: z.number(),
  /** What its file was when it was moved to its place. */
  etag: z.string().nullable(),
  finished: z.object({ path: z.string(), skipped: z.boolean() }).nullable(),
});
export type UploadMeta = z.output<typeof meta>;

interface Upload {
  meta: UploadMeta;
  /** Bytes that are still to come. */
  reserved: Reservation;
  /** Ends the request that brings bytes now. */
  receiving: { abort: AbortController; ended: Promise<unknown> } | null;
}
type Reserve = (bytes: number, unchecked?: 'unchecked') => Promise<Reservation>;

const description = (id: string): string => `${id}.json`;

/**
 * Uploads of one server: a part file each, whose size says how far it is, and a description. Both are files, so an upload
 * goes on after a restart; the bytes that are still to come stay reserved.
 */
export class Uploads {
  readonly #uploads = new Map<string, Upload>();

  /** Reads the uploads that an earlier process left. */
  async load(tree: Tree, reserve: Reserve): Promise<void> {
    if (!(await tree.hasOwn())) return;
    await tree.own('uploads', async (folder) => {
      for (const name of await namesIn(folder)) {
        const id = name.slice(0, -'.json'.length);
        if (!name.endsWith('.json') || this.#uploads.has(id)) continue;
        const read = meta.safeParse(JSON.parse((await readFile(folder.at(name), 'utf8')) || 'null'));
        if (!read.success) continue;
        const left = read.data.finished
          ? 0
          : Math.max(0, (read.data.bytes ?? 0) - (await sizeOf(folder, id)));
        const reserved = await reserve(left, 'unchecked');
        this.#uploads.set(id, { meta: read.data, reserved, receiving: null });
      }
    });
  }

  /** Forgets what is in memory; it is read again. */
  forget(): void {
    for (const { reserved } of this.#uploads.values()) reserved.release();
    this.#uploads.clear();
  }

  /** Refuses `upload_not_found`. */
  find(id: string): Upload {
    const upload = this.#uploads.get(id);
    if (!upload) throw new FileError('upload_not_found');
    return upload;
  }
  has(id: string): boolean {
    return this.#uploads.has(id);
  }

  /** Adds an upload whose bytes are reserved. Refuses `busy`, `disk_full`. */
  async add(tree: Tree, id: string, made: UploadMeta, reserve: Reserve): Promise<void> {
    if (this.#uploads.size >= max_uploads) throw new FileError('busy');
    const upload: Upload = { meta: made, reserved: await reserve(made.bytes ?? 0), receiving: null };
    if (this.#uploads.has(id)) return upload.reserved.release();
    this.#uploads.set(id, upload);
    try {
      await tree.own('uploads', async (folder) => {
        await this.save(folder, id);
        await (await folder.newFile(id)).close();
      });
    } catch (error) {
      this.#uploads.delete(id);
      upload.reserved.release();
      throw error;
    }
  }

  /** Stores the description of an upload. */
  async save(folder: Folder, id: string): Promise<void> {
    const part = `${id}.part`;
    await writeFile(folder.at(part), JSON.stringify(this.find(id).meta), { mode: 0o600 });
    await rename(folder.at(part), folder.at(description(id)));
  }

  /** Ends what it receives and removes it. */
  async remove(tree: Tree, id: string): Promise<void> {
    const upload = this.#uploads.get(id);
    if (!upload) return;
    upload.receiving?.abort.abort();
    await upload.receiving?.ended;
    upload.reserved.release();
    this.#uploads.delete(id);
    await tree.own('uploads', (folder) => removeAll(folder, [id, description(id)]));
  }

  /** Removes uploads that were given up. */
  async expire(tree: Tree, now: number): Promise<void> {
    for (const [id, { meta, receiving }] of this.#uploads) {
      if (receiving) continue;
      const active = await tree.own('uploads', (folder) => stat(folder.at(id)).catch(unless('ENOENT')));
      const last = Math.max(meta.begun, active?.mtimeMs ?? 0);
      if (now - last > (meta.finished ? finished_ms : unfinished_ms)) await this.remove(tree, id);
    }
  }
}

/** How many bytes of an upload are stored. */
export const sizeOf = async (folder: Folder, id: string): Promise<number> =>
  (await stat(folder.at(id)).catch(unless('ENOENT')))?.size ?? 0;
