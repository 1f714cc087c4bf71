import { pipeline } from 'node:stream/promises';
import type { BackupFacts } from '#control/protocol/backups.ts';
import type { BackupEngine, BackupJob, Made, Sidecar, Unpacked, Verified } from './backup-engine.ts';
import { checked, meter, tooLarge } from './checked.ts';
import { BackupError, targetFailed } from './error.ts';
import { resultOf, startPipeline } from './pipeline.ts';
import { type Codec, load, pack, store, type UnpackInto, unpack } from './programs.ts';
import { readSidecar, sidecarName } from './sidecar.ts';
import type { BackupTarget, LocalFiles } from './targets/target.ts';

type Stored = Omit<BackupFacts, 'unchanged'>;

/** What says nothing about an archive: something ended a program, or the machine was short of something. */
const troubles = new Set([
  'killed',
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
]);

export const archiveName = (backup_id: string): string => `${backup_id}.tar.zst`;

/** One `<id>.tar.zst` for each backup, and `<id>.json` beside it. */
export class ArchiveEngine implements BackupEngine {
  readonly #targetOf: (job: BackupJob) => BackupTarget;
  readonly #codec: Codec;
  readonly #work: string;

  /** `work` is an existing folder for files of a moment. */
  constructor(options: { targetOf(job: BackupJob): BackupTarget; codec: Codec; work: string }) {
    [this.#targetOf, this.#codec, this.#work] = [options.targetOf, options.codec, options.work];
  }

  async create(job: BackupJob, folder: string, made: Made, max_bytes: number): Promise<BackupFacts> {
    const { backup_id, server_id, signal } = job;
    const target = this.#targetOf(job);
    try {
      const stored = target.local
        ? await this.#storeHere(job, target.local, folder, max_bytes)
        : await this.#storeAway(job, target, folder, max_bytes);
      const facts = { ...stored, unchanged: false };
      const sidecar: Sidecar = { backup_id, server_id, engine: 'archive', ...made, ...facts };
      await target.put(server_id, sidecarName(backup_id), one(JSON.stringify(sidecar)), signal);
      return facts;
    } catch (error) {
      await this.delete(job).catch(() => {});
      throw signal.aborted ? new BackupError('cancelled') : error;
    }
  }

  async #storeHere(job: BackupJob, files: LocalFiles, folder: string, max_bytes: number): Promise<Stored> {
    const { backup_id, server_id, signal, onProgress } = job;
    const name = archiveName(backup_id);
    const part = await files.part(server_id, name).catch((error) => {
      throw targetFailed(error);
    });
    const programs = [pack(folder, this.#work), store(part, max_bytes, this.#codec.compress)];
    const running = startPipeline(programs, { signal, onProgress });
    running.output.resume();
    const end = await running.ended;
    try {
      const stored = { ...resultOf(end, 'packed'), ...resultOf(end, 'stored') };
      await files.publish(server_id, name);
      return stored;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'too_large') throw tooLarge(max_bytes);
      throw code === 'ENOSPC' || code === 'EDQUOT' ? targetFailed(error) : error;
    }
  }

  async #storeAway(job: BackupJob, target: BackupTarget, folder: string, max_bytes: number): Promise<Stored> {
    const { backup_id, server_id, signal, onProgress } = job;
    const running = startPipeline([pack(folder, this.#work), this.#codec.compress], { signal, onProgress });
    const { pass, result } = meter(max_bytes);
    let packed: Omit<Stored, 'bytes' | 'sha256'> | null = null;
    let failure: unknown = null;
    const content = async function* (): AsyncGenerator<Buffer> {
      try {
        yield* pass(running.output);
        // the file is complete only when the programs say so
        packed = resultOf(await running.ended, 'packed');
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    try {
      await target.put(server_id, archiveName(backup_id), content(), signal);
      return { ...packed!, ...result() };
    } catch (error) {
      running.kill();
      await running.ended.catch(() => {});
      throw failure ?? error;
    }
  }

  describe(job: BackupJob): Promise<Sidecar | null> {
    return readSidecar(this.#targetOf(job), job);
  }

  restore(job: BackupJob, into: UnpackInto, sha256: string | null): Promise<Unpacked> {
    return this.#unpack(job, unpack(into, 'restore', this.#work), sha256);
  }

  verify(job: BackupJob, into: UnpackInto | null, sha256: string | null): Promise<Verified> {
    return this.#unpack(job, unpack(into, 'verify', this.#work), sha256);
  }

  async #unpack(job: BackupJob, program: string[], sha256: string | null): Promise<Verified> {
    const { signal, onProgress, server_id, backup_id } = job;
    const { local } = this.#targetOf(job);
    const from = local ? await local.find(server_id, archiveName(backup_id)) : null;
    const sum = sha256 ?? (await this.describe(job))?.sha256 ?? null;
    const programs = [this.#codec.decompress, program];
    const running = startPipeline(from ? [load(from, sum), ...programs] : programs, { signal, onProgress });
    running.output.resume();
    let failure: unknown = null;
    try {
      if (from) running.input.end();
      else
        await pipeline(await this.#content(job, sum), running.input, { signal }).catch((error) => {
          failure = error;
          // programs that ended early say why themselves
          if ((error as NodeJS.ErrnoException).code !== 'EPIPE') running.kill();
        });
      const end = await running.ended;
      if (failure instanceof BackupError) throw failure;
      return resultOf(end, 'unpacked');
    } catch (error) {
      if (error instanceof BackupError) throw error;
      if (signal.aborted) throw new BackupError('cancelled');
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC' || code === 'EDQUOT') throw new BackupError('disk_full');
      if (code && troubles.has(code)) throw error;
      throw new BackupError('backup_damaged', (error as Error).message);
    }
  }

  /** The archive, whose sum is checked: the given one, or the one beside it. */
  async #content(job: BackupJob, sha256: string | null): Promise<AsyncIterable<Buffer>> {
    const known = sha256 ?? (await this.describe(job))?.sha256 ?? null;
    return checked(this.#targetOf(job).get(job.server_id, archiveName(job.backup_id), job.signal), known);
  }

  async delete(job: BackupJob): Promise<void> {
    const target = this.#targetOf(job);
    await target.remove(job.server_id, archiveName(job.backup_id));
    await target.remove(job.server_id, sidecarName(job.backup_id));
  }

  async *read(job: BackupJob): AsyncGenerator<Buffer> {
    yield* await this.#content(job, null);
  }
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
