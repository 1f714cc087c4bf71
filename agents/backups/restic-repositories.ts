import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { lowPriority } from '../programs/low-priority.ts';
import type { BackupJob } from './backup-engine.ts';
import { BackupError, targetFailed } from './error.ts';
import { isInstalled } from './programs.ts';
import { ResticPasswords } from './restic-passwords.ts';
import type { Platform } from './targets/platform.ts';
import type { S3Settings } from './targets/s3-settings.ts';

/** The one file of every snapshot. */
export const snapshot_file = 'server.tar';

export interface Repository {
  /** Where it is, its password and the credentials of its store. */
  env: Record<string, string>;
}
/** `platform`: the control plane, which keeps copies of the passwords. */
export interface ResticOptions {
  folder: string;
  s3: S3Settings | null;
  platform: Platform | null;
  log: Logger;
}
const max_output = 64 * 1024 * 1024;

/**
 * The repositories of restic: one for each server, with a password of its own. The control plane keeps a copy of each, because a
 * repository in a store outlives its node; the file here is what this node uses.
 */
export class ResticRepositories {
  readonly #folder: string;
  readonly #s3: S3Settings | null;
  readonly #passwords: ResticPasswords;

  /** `folder` is that of the backups at this node. */
  constructor({ folder, s3, platform, log }: ResticOptions) {
    [this.#folder, this.#s3] = [folder, s3];
    this.#passwords = new ResticPasswords({ folder: join(folder, 'passwords'), platform, log });
  }

  /**
   * The repository of a server, which `create` makes when there is none. A lock that a killed process left is removed.
   * Throws `backup_not_found` and `backup_target_failed`.
   */
  async open(job: BackupJob, server_id: string, when: 'create' | 'use'): Promise<Repository> {
    if (!isInstalled('restic'))
      throw new BackupError('backup_target_failed', 'the program restic is not installed on this node');
    const at = this.#at(job, server_id);
    if (when === 'use' && job.target === 'node' && !existsSync(at.repository))
      throw new BackupError('backup_not_found');
    const password = await this.#passwords.of(server_id, when);
    const repository = {
      env: {
        ...at.env,
        RESTIC_REPOSITORY: at.repository,
        ...password,
        RESTIC_CACHE_DIR: join(this.#folder, 'restic-cache'),
      },
    };
    await this.run(repository, ['unlock'], job.signal).catch(async (error: BackupError) => {
      if (!/does not exist|unable to open config|Is there a repository/i.test(error.message)) throw error;
      if (when === 'use') throw new BackupError('backup_not_found');
      await this.run(repository, ['init'], job.signal);
    });
    return repository;
  }

  /** What the names of the files of a repository in a store begin with, after the prefix of the store. */
  prefixOf(server_id: string): string {
    return `restic/${server_id}/`;
  }

  #at(job: BackupJob, server_id: string): { repository: string; env: Record<string, string> } {
    if (job.target === 'node') return { repository: join(this.#folder, server_id, 'restic'), env: {} };
    const s3 = job.target === 's3' ? this.#s3 : null;
    if (!s3)
      throw new BackupError('backup_target_failed', `this node has no settings of the target ${job.target}`);
    const path = [s3.bucket, s3.prefix, this.prefixOf(server_id).slice(0, -1)].filter(Boolean).join('/');
    return {
      repository: `s3:${s3.endpoint}/${path}`,
      env: {
        AWS_ACCESS_KEY_ID: s3.access_key,
        AWS_SECRET_ACCESS_KEY: s3.secret_key,
        AWS_DEFAULT_REGION: s3.region,
      },
    };
  }

  /** The snapshots of a backup. */
  async snapshots(repository: Repository, { backup_id, signal }: BackupJob): Promise<string[]> {
    const said = await this.run(repository, ['snapshots', '--json', '--no-lock', '--tag', backup_id], signal);
    return ((JSON.parse(said) ?? []) as { id: string }[]).map(({ id }) => id);
  }

  /** Runs restic and gives its output. Throws `backup_target_failed` with its last words, and `cancelled`. */
  async run(repository: Repository, args: readonly string[], signal: AbortSignal): Promise<string> {
    try {
      const [nice, ...words] = [...lowPriority, 'restic', ...args];
      const { stdout } = await promisify(execFile)(nice, words, {
        env: { ...process.env, LC_ALL: 'C', ...repository.env },
        maxBuffer: max_output,
        signal,
      });
      return stdout;
    } catch (error) {
      if (signal.aborted) throw new BackupError('cancelled');
      const { stderr = '' } = error as { stderr?: string };
      throw stderr.trim() ? new BackupError('backup_target_failed', stderr.trim()) : targetFailed(error);
    }
  }
}
