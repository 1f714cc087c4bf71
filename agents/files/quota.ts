import { statfs } from 'node:fs/promises';
import { FileError } from './file-error.ts';
import type { FilesContext } from './files-context.ts';

const mib = 1024 * 1024;
/** A folder is not counted more often than this, unless something does not fit. */
const count_ms = 10_000;

/** Bytes that are spoken for. */
export interface Reservation {
  /** Reserves `bytes` more. Refuses `disk_full`. */
  grow(bytes: number): Promise<void>;
  /** So many of its bytes are on the disk now. */
  written(bytes: number): void;
  /** Bytes of it that are not written. */
  left(): number;
  release(): void;
}

/** The disk of a server: its folder, and its limit in megabytes. */
export interface Disk {
  server_id: string;
  folder: string;
  disk_mb: number;
}

/**
 * What one server may still write. Bytes are reserved before the first is written, and several at once never count the same
 * space twice.
 */
export class Quota {
  readonly #context: Pick<FilesContext, 'usedMb' | 'disks'>;
  readonly #reserved = new Set<{ bytes: number }>();
  /** The last count of a folder whose limit is measured. */
  #counted: { at: number; bytes: number } | null = null;
  #counting: Promise<void> | null = null;
  /** Bytes written since that count began. */
  #written = 0;

  constructor(context: Pick<FilesContext, 'usedMb' | 'disks'>) {
    this.#context = context;
  }

  /** Bytes that nobody has reserved. */
  async free(disk: Disk): Promise<number> {
    return (await this.#measure(disk, 0))();
  }

  /** Counts what is used; the function it gives subtracts what is reserved at the moment it is called. */
  async #measure(disk: Disk, wanted: number): Promise<() => number> {
    const is_image = (await this.#context.disks.imageMb(disk.server_id)) !== null;
    const { bavail, bsize } = await statfs(disk.folder);
    const limit = (): number =>
      is_image ? Number.POSITIVE_INFINITY : disk.disk_mb * mib - (this.#counted?.bytes ?? 0) - this.#written;
    const free = (): number => {
      let reserved = 0;
      for (const one of this.#reserved) reserved += one.bytes;
      return Math.max(0, Math.min(bavail * bsize, limit()) - reserved);
    };
    const old = !this.#counted || Date.now() - this.#counted.at > count_ms;
    if (!is_image && (old || free() < wanted)) {
      this.#counting ??= this.#count(disk.server_id).finally(() => {
        this.#counting = null;
      });
      await this.#counting;
    }
    return free;
  }

  async #count(server_id: string): Promise<void> {
    const before = this.#written;
    const used = await this.#context.usedMb(server_id, 'now');
    this.#counted = { at: Date.now(), bytes: used * mib };
    this.#written -= before;
  }

  /** Reserves `bytes`; `unchecked` for what was reserved before the agent was restarted. Refuses `disk_full`. */
  async reserve(disk: Disk, bytes: number, unchecked?: 'unchecked'): Promise<Reservation> {
    const one = { bytes: unchecked ? bytes : 0 };
    const grow = async (more: number): Promise<void> => {
      const free = await this.#measure(disk, more);
      // nothing is awaited between this and the next line
      if (more > free()) throw new FileError('disk_full');
      one.bytes += more;
    };
    this.#reserved.add(one);
    const release = (): void => {
      one.bytes = 0;
      this.#reserved.delete(one);
    };
    if (!unchecked && bytes > 0)
      await grow(bytes).catch((error) => {
        release();
        throw error;
      });
    return {
      grow,
      release,
      written: (done) => {
        one.bytes = Math.max(0, one.bytes - done);
        this.#written += done;
      },
      left: () => one.bytes,
    };
  }
}
