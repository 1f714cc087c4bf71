import { Refused } from '#db/platform/errors.ts';
import type { FileEntry } from '../protocol/files.ts';
import type { FileUpload } from './agent-streams.ts';
import { SftpFailure } from './failure.ts';
import { sftpLimits } from './limits.ts';
import type { ServerFiles } from './server-files.ts';

/** What is written to. */
export interface WriterOptions {
  files: Pick<ServerFiles, 'read' | 'write' | 'setModified'>;
  path: string;
  /** The file whose bytes stay where nothing is written; null when there is none, or when it was emptied. */
  base: FileEntry | null;
  /** Every write goes to the end, whatever its offset. */
  append: boolean;
  /** It must not exist when it is finished. */
  exclusive: boolean;
  /** It is written even when nothing is: it was created or emptied. */
  touched: boolean;
}

const backwards =
  'Files are written from their start to their end: this server can’t go back. Upload it whole.';

/**
 * Writes of one open file. A new file grows beside the old one and replaces it, whole, when it is closed: the game never
 * reads half of it. Clients send pieces in order, or nearly: those that come early wait, bounded. A gap that stays is filled
 * with what the old file has there, so that uploads resume and files are appended to.
 */
export class FileWriter {
  readonly #options: WriterOptions;
  #upload: FileUpload | null = null;
  #position = 0;
  /** Bytes that came before those in front of them, by their offset. */
  readonly #early = new Map<number, Buffer>();
  #early_bytes = 0;
  /** The size that the client set. */
  #size: number | null = null;
  #modified: number | null = null;
  #failed: unknown = null;
  #touched: boolean;
  /** One after the other. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#touched = options.touched;
  }

  /** How long the file is as far as is known. */
  get bytes(): number {
    return Math.max(this.#position, this.#size ?? this.#options.base?.bytes ?? 0);
  }

  /** The time that the client set, in milliseconds since 1970; null when it set none. */
  get modified(): number | null {
    return this.#modified;
  }

  get isTouched(): boolean {
    return this.#touched;
  }

  /** Takes bytes; settles when more are wanted. A write that failed fails the file: nothing of it takes its place. */
  write(offset: number, data: Buffer): Promise<void> {
    return this.#inOrder(() => this.#write(offset, data));
  }

  /** Cuts the file, or makes it longer. */
  setSize(bytes: number): Promise<void> {
    return this.#inOrder(async () => {
      this.#touched = true;
      if (bytes < this.#position) throw new SftpFailure('failure', backwards);
      this.#size = bytes;
    });
  }

  /** Says when the file was changed last: it gets that time after it is in its place. */
  setModified(modified: number): void {
    this.#modified = modified;
  }

  /** Puts the file in its place. */
  async close(): Promise<void> {
    await this.#finish();
    if (this.#modified === null) return;
    const { files, path } = this.#options;
    await files.setModified(path, this.#modified).catch((error) => {
      // the file is complete: an agent that cannot set times yet must not make it look lost
      if (!(error instanceof Refused) || error.code !== 'agent_outdated') throw error;
    });
  }

  #finish(): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#touched) return;
      const { base, exclusive } = this.#options;
      while (this.#early.size > 0) {
        await this.#fill(Math.min(...this.#early.keys()));
        await this.#drain();
      }
      await this.#fill(this.#size ?? base?.bytes ?? 0);
      const upload = await this.#begun();
      const if_etag = exclusive ? '' : base?.etag;
      const on_conflict = exclusive ? 'refuse' : 'replace';
      await upload.finish(on_conflict, if_etag);
      this.#upload = null;
    });
  }

  /** Drops what was written; the file stays as it was. */
  async cancel(): Promise<void> {
    this.#failed ??= new SftpFailure('failure', 'The upload was cancelled.');
    await this.#order;
    const upload = this.#upload;
    this.#upload = null;
    await upload?.cancel();
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#order.then(async () => {
      if (this.#failed) throw this.#failed;
      try {
        await work();
      } catch (error) {
        this.#failed = error;
        this.#early.clear();
        await this.#upload?.cancel().catch(() => {});
        this.#upload = null;
        throw error;
      }
    });
    this.#order = done.catch(() => {});
    return done;
  }

  async #write(given: number, data: Buffer): Promise<void> {
    this.#touched = true;
    const { append, base } = this.#options;
    if (append && base) await this.#fill(base.bytes);
    const offset = append ? this.#position : given;
    if (offset < this.#position) throw new SftpFailure('failure', backwards);
    if (offset === this.#position) {
      await this.#append(data);
      await this.#drain();
      return;
    }
    const before = this.#early.get(offset)?.length ?? 0;
    // a copy: these bytes are part of a larger buffer
    this.#early.set(offset, Buffer.from(data));
    this.#early_bytes += data.length - before;
    while (this.#early_bytes > sftpLimits.unordered_bytes) {
      await this.#fill(Math.min(...this.#early.keys()));
      await this.#drain();
    }
  }

  /** Writes what waited for the bytes up to here. */
  async #drain(): Promise<void> {
    for (;;) {
      const data = this.#early.get(this.#position);
      if (!data) break;
      this.#early.delete(this.#position);
      this.#early_bytes -= data.length;
      await this.#append(data);
    }
    for (const offset of this.#early.keys())
      if (offset < this.#position) throw new SftpFailure('failure', backwards);
  }

  async #append(data: Buffer): Promise<void> {
    if (data.length === 0) return;
    await (await this.#begun()).write(data);
    this.#position += data.length;
  }

  async #begun(): Promise<FileUpload> {
    this.#upload ??= await this.#options.files.write(this.#options.path);
    return this.#upload;
  }

  /** Goes on to `to`: with the bytes of the old file, behind its end with zeros. */
  async #fill(to: number): Promise<void> {
    const { base, files, path } = this.#options;
    const kept = Math.min(to, base?.bytes ?? 0);
    if (this.#position < kept) {
      const range = { offset: this.#position, length: kept - this.#position };
      for await (const chunk of await files.read(path, range)) await this.#append(chunk as Buffer);
      if (this.#position !== kept)
        throw new SftpFailure('failure', 'The file was changed meanwhile. Upload it again.');
    }
    const gap = to - this.#position;
    if (gap > sftpLimits.gap_bytes)
      throw new SftpFailure(
        'failure',
        'Files are written from their start to their end: this gap is too large.',
      );
    for (let left = gap; left > 0; left -= block_bytes)
      await this.#append(Buffer.alloc(Math.min(left, block_bytes)));
  }
}

const block_bytes = 64 * 1024;
