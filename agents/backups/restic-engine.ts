import type { BackupFacts } from '#control/protocol/backups.ts';
import type { BackupEngine, BackupJob, Made, Sidecar, Unpacked, Verified } from './backup-engine.ts';
import { tooLarge } from './checked.ts';
import { BackupError } from './error.ts';
import { type PipelineEnd, resultOf, startPipeline } from './pipeline.ts';
import { type Codec, pack, type UnpackInto, unpack } from './programs.ts';
import { type Repository, type ResticRepositories, snapshot_file } from './restic-repositories.ts';
import { readSidecar, sidecarName } from './sidecar.ts';
import type { BackupTarget } from './targets/target.ts';

/**
 * Deduplicated backups by the program restic: one repository for each server. restic reads the same tar as an archive is
 * made of, so that it follows no link, files that changed are named and every backup has its sums; what it stores is cut by
 * content, so that parts of files that did not change are stored once. Source: hosting §1d.
 */
export class ResticEngine implements BackupEngine {
  readonly #targetOf: (job: BackupJob) => BackupTarget;
  readonly #repositories: ResticRepositories;
  readonly #codec: Codec;
  readonly #work: string;

  constructor(options: {
    targetOf(job: BackupJob): BackupTarget;
    repositories: ResticRepositories;
    codec: Codec;
    work: string;
  }) {
    [this.#targetOf, this.#repositories] = [options.targetOf, options.repositories];
    [this.#codec, this.#work] = [options.codec, options.work];
  }

  async create(job: BackupJob, folder: string, made: Made, max_bytes: number): Promise<BackupFacts> {
    const { backup_id, server_id, signal, onProgress } = job;
    const repository = await this.#repositories.open(job, server_id, 'create');
    const args = ['backup', '--stdin', '--stdin-filename', snapshot_file, '--json'];
    const restic = ['restic', ...args, '--host', 'cairn', '--tag', backup_id];
    const { env } = repository;
    const running = startPipeline([pack(folder, this.#work), restic], { signal, onProgress, env });
    try {
      const said = await lastLine(running.output);
      const packed = resultOf(ofRestic(await running.ended), 'packed');
      const summary = JSON.parse(said) as { data_blobs: number; data_added: number };
      const facts = {
        ...packed,
        bytes: summary.data_added,
        sha256: null,
        unchanged: summary.data_blobs === 0,
      };
      if (facts.bytes > max_bytes) throw tooLarge(max_bytes);
      const sidecar: Sidecar = { backup_id, server_id, engine: 'restic', ...made, ...facts };
      const text = JSON.stringify(sidecar);
      const target = this.#targetOf(job);
      await target.put(server_id, sidecarName(backup_id), one(text), signal);
      return facts;
    } catch (error) {
      running.kill();
      await running.ended.catch(() => {});
      await this.delete({ ...job, signal: new AbortController().signal }).catch(() => {});
      throw signal.aborted ? new BackupError('cancelled') : error;
    }
  }

  describe(job: BackupJob): Promise<Sidecar | null> {
    return readSidecar(this.#targetOf(job), job);
  }

  restore(job: BackupJob, into: UnpackInto): Promise<Unpacked> {
    return this.#unpack(job, unpack(into, 'restore', this.#work));
  }

  verify(job: BackupJob, into: UnpackInto | null): Promise<Verified> {
    return this.#unpack(job, unpack(into, 'verify', this.#work));
  }

  async #unpack(job: BackupJob, program: string[]): Promise<Verified> {
    const { signal, onProgress } = job;
    const { dump, env } = await this.#dump(job);
    const running = startPipeline([dump, program], { signal, onProgress, env });
    running.output.resume();
    const end = await running.ended;
    const { message, exits } = end;
    if (message?.failed && ['ENOSPC', 'EDQUOT'].includes(message.failed.code))
      throw new BackupError('disk_full');
    if (exits.some((code) => code !== 0)) throw unreadable(end.errors);
    return resultOf(end, 'unpacked');
  }

  async delete(job: BackupJob): Promise<void> {
    const repository = await this.#repository(job).catch((error: BackupError) => {
      if (error.code === 'backup_not_found') return null;
      throw error;
    });
    const ids = repository ? await this.#repositories.snapshots(repository, job) : [];
    if (repository && ids.length > 0)
      await this.#repositories.run(repository, ['forget', '--prune', ...ids], job.signal);
    await this.#targetOf(job).remove(job.server_id, sidecarName(job.backup_id));
  }

  async *read(job: BackupJob): AsyncGenerator<Buffer> {
    const { dump, env } = await this.#dump(job);
    const running = startPipeline([dump, this.#codec.compress], { signal: job.signal, env });
    let last: Buffer | null = null;
    try {
      for await (const chunk of running.output as AsyncIterable<Buffer>) {
        if (last) yield last;
        last = chunk;
      }
      const { exits, errors } = await running.ended;
      if (exits.some((code) => code !== 0)) throw unreadable(errors);
      if (last) yield last;
    } finally {
      running.kill();
    }
  }

  /** The repository of the server that it was made of. */
  async #repository(job: BackupJob): Promise<Repository> {
    const made_of = (await this.describe(job))?.server_id ?? job.server_id;
    return await this.#repositories.open(job, made_of, 'use');
  }

  async #dump(job: BackupJob): Promise<{ dump: string[]; env: Record<string, string> }> {
    const repository = await this.#repository(job);
    const [snapshot] = await this.#repositories.snapshots(repository, job);
    if (!snapshot) throw new BackupError('backup_not_found');
    return { dump: ['restic', 'dump', snapshot, `/${snapshot_file}`], env: repository.env };
  }
}

/** What restic says when its repository does not take more is the cause, not that our program lost its reader. */
function ofRestic(end: PipelineEnd): PipelineEnd {
  const [packed, restic] = end.exits;
  if (restic === 0 || (packed !== 0 && !/EPIPE/.test(JSON.stringify(end.message)))) return end;
  throw new BackupError(
    'backup_target_failed',
    end.errors.trim().split('\n').at(-1) || `restic ended with ${restic}`,
  );
}

/** restic could not read a backup: its place does not answer, or the backup is damaged. */
function unreadable(errors: string): BackupError {
  const away = /dial tcp|connection (refused|reset)|timeout|no such host|service unavailable/i.test(errors);
  return new BackupError(away ? 'backup_target_failed' : 'backup_damaged', errors.trim());
}

async function lastLine(output: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    const lines = (text + chunk).trimEnd().split('\n');
    text = `${lines.at(-1) ?? ''}${chunk.at(-1) === 0x0a ? '\n' : ''}`;
  }
  return text.trim();
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
