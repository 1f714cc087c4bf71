import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BackupEngineId, BackupTargetId, DiscardedBackup } from '#control/protocol/backups.ts';
import { removeFolder } from '../disk/folders.ts';
import { Slots } from '../files/slots.ts';
import { ArchiveEngine, archiveName } from './archive-engine.ts';
import type { BackupEngine, BackupJob } from './backup-engine.ts';
import { BackupError } from './error.ts';
import { codecOf, isInstalled } from './programs.ts';
import { ResticEngine } from './restic-engine.ts';
import { ResticRepositories } from './restic-repositories.ts';
import { sidecarName } from './sidecar.ts';
import { NodeTarget } from './targets/node-target.ts';
import type { Platform } from './targets/platform.ts';
import { PlatformTarget } from './targets/platform-target.ts';
import type { S3Settings } from './targets/s3-settings.ts';
import { S3Target } from './targets/s3-target.ts';
import type { BackupTarget } from './targets/target.ts';
import { UndoArchive } from './undo.ts';

/** Backups that are made, restored or verified at a time; more would only make each other slow. Source: hosting §5.6. */
const max_at_once = 2;

export interface BackupOptions {
  data: string;
  s3: S3Settings | null;
  /** The control plane; without one nothing is kept there. */
  platform?: Platform | null;
  log: Logger;
}

/** Engines, targets and running operations of backups of one node. */
export class Backups {
  /** `<data>/backups`: backups at this node, by server. */
  readonly folder: string;
  /** Files of a moment: what a killed agent left here is removed at the next start. */
  readonly work: string;
  /** Where backups are unpacked to be verified. */
  readonly verifying: string;
  readonly undo: UndoArchive;
  readonly #engines: Record<BackupEngineId, BackupEngine>;
  readonly #running = new Map<string, { server_id: string; abort: AbortController }>();
  readonly #heavy = new Slots(max_at_once, Number.POSITIVE_INFINITY);
  readonly #targets: Partial<Record<BackupTargetId, BackupTarget>>;
  readonly #repositories: ResticRepositories;
  readonly #s3: S3Settings | null;
  readonly #log: Logger;

  constructor({ data, s3, platform = null, log }: BackupOptions) {
    [this.#s3, this.#log] = [s3, log];
    this.folder = join(data, 'backups');
    this.work = join(this.folder, 'work');
    this.verifying = join(this.work, 'verify');
    mkdirSync(this.work, { recursive: true, mode: 0o700 });
    rmSync(this.verifying, { recursive: true, force: true });
    const codec = codecOf(isInstalled('zstd') ? 'zstd' : 'node');
    log.info(
      { compression: codec.name, restic: isInstalled('restic') },
      codec.name === 'zstd'
        ? 'Backups are compressed by the program zstd'
        : 'Backups are compressed by Node, more slowly: the program zstd is not installed',
    );
    const targets: Partial<Record<BackupTargetId, BackupTarget>> = {
      node: new NodeTarget(this.folder),
      ...(platform ? { platform: new PlatformTarget(platform) } : {}),
      ...(s3 ? { s3: new S3Target(s3) } : {}),
    };
    const targetOf = ({ target }: BackupJob): BackupTarget => {
      const found = targets[target];
      if (found) return found;
      throw new BackupError('backup_target_failed', `this node has no settings of the target ${target}`);
    };
    const { work } = this;
    this.#targets = targets;
    this.#repositories = new ResticRepositories({ folder: this.folder, s3, platform, log });
    this.undo = new UndoArchive(codec, work);
    this.#engines = {
      archive: new ArchiveEngine({ targetOf, codec, work }),
      restic: new ResticEngine({
        targetOf,
        codec,
        work,
        repositories: this.#repositories,
      }),
    };
  }

  engine(id: BackupEngineId): BackupEngine {
    return this.#engines[id];
  }

  /** Whether an operation on backups of that server runs in this process. */
  isActive(server_id: string): boolean {
    return [...this.#running.values()].some((one) => one.server_id === server_id);
  }

  /**
   * Runs an operation, which may be cancelled. A `heavy` one waits until fewer than `max_at_once` others run.
   */
  async run<T>(
    { op_id, server_id, heavy }: { op_id: string; server_id: string; heavy: boolean },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const abort = new AbortController();
    this.#running.set(op_id, { server_id, abort });
    try {
      const { signal } = abort;
      return heavy ? await this.#heavy.run(() => work(signal), signal) : await work(signal);
    } finally {
      this.#running.delete(op_id);
    }
  }

  /** Cancels an operation; gives whether it was running. */
  cancel(op_id: string): boolean {
    const found = this.#running.get(op_id);
    found?.abort.abort(new BackupError('cancelled'));
    return found !== undefined;
  }

  /** Where this node can keep backups, for its heartbeat. Nodes with the same store tell the same name. */
  places(): { backup_targets: string[]; backup_store?: string } {
    const backup_targets = Object.keys(this.#targets);
    if (!this.#s3) return { backup_targets };
    const { endpoint, bucket, prefix } = this.#s3;
    const sum = createHash('sha256')
      .update(JSON.stringify([endpoint, bucket, prefix]))
      .digest('hex');
    return { backup_targets, backup_store: sum.slice(0, 32) };
  }

  /** Removes backups of deleted servers from the S3 store; gives those of which nothing is left. */
  async discard(backups: readonly DiscardedBackup[]): Promise<string[]> {
    const { s3 } = this.#targets;
    const removed: string[] = [];
    for (const { backup_id, server_id, engine } of s3 ? backups : [])
      try {
        if (engine === 'restic') await (s3 as S3Target).removeAll(this.#repositories.prefixOf(server_id));
        else await s3!.remove(server_id, archiveName(backup_id));
        await s3!.remove(server_id, sidecarName(backup_id));
        removed.push(backup_id);
      } catch (error) {
        this.#log.warn(
          { server_id, backup_id, err: error },
          'A backup of a deleted server is left in the store',
        );
      }
    return removed;
  }

  /** Removes the backups of a deleted server that are at this node. */
  async removeServer(server_id: string): Promise<void> {
    await removeFolder(join(this.folder, server_id));
    rmSync(join(this.folder, 'passwords', server_id), { force: true });
  }
}
