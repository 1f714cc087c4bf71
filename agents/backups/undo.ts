import { createReadStream, createWriteStream } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupJob } from './backup-engine.ts';
import { BackupError } from './error.ts';
import { resultOf, startPipeline } from './pipeline.ts';
import { type Codec, pack, type UnpackInto, unpack } from './programs.ts';
import { syncFiles } from './swap.ts';

/** The old files of a server in an archive on the disk of the node, while a backup takes their place. */
export class UndoArchive {
  readonly #codec: Codec;
  readonly #work: string;
  constructor(codec: Codec, work: string) {
    [this.#codec, this.#work] = [codec, work];
  }

  /** Makes it. Throws `disk_full` when the node has no space for all `used_mb` megabytes. */
  async make(
    { server_id, signal }: BackupJob,
    folder: string,
    used_mb: number,
  ): Promise<{ archive: string }> {
    const { bavail, bsize } = await statfs(this.#work);
    if (used_mb * 1024 * 1024 > bavail * bsize) throw new BackupError('disk_full');
    const archive = join(this.#work, `${server_id}.undo.tar.zst`);
    const running = startPipeline([pack(folder, this.#work), this.#codec.compress], { signal });
    try {
      await pipeline(running.output, createWriteStream(archive, { mode: 0o600, flush: true }), { signal });
      resultOf(await running.ended, 'packed');
    } catch (error) {
      running.kill();
      await rm(archive, { force: true });
      throw signal.aborted ? new BackupError('cancelled') : error;
    }
    return { archive };
  }

  /** Unpacks it into a folder that is empty but for the folder of Cairn itself. Cannot be cancelled. */
  async unpack(archive: string, into: UnpackInto): Promise<void> {
    const { signal } = new AbortController();
    const programs = [this.#codec.decompress, unpack(into, 'restore', this.#work)];
    const running = startPipeline(programs, { signal });
    running.output.resume();
    await pipeline(createReadStream(archive), running.input).catch(() => {});
    resultOf(await running.ended, 'unpacked');
    await syncFiles(into.folder);
  }
}
