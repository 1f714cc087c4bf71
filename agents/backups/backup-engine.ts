import type { BackupFacts, BackupTargetId } from '#control/protocol/backups.ts';
import type { UnpackInto } from './programs.ts';

/** What every action on a backup has. */
export interface BackupJob {
  backup_id: string;
  server_id: string;
  target: BackupTargetId;
  signal: AbortSignal;
  /** Bytes that were read or written so far. */
  onProgress(done: number): void;
}

/** What is stored beside a backup, as JSON. */
export interface Sidecar extends BackupFacts {
  backup_id: string;
  server_id: string;
  engine: string;
  game_version: string;
  loader: string | null;
}

/** Who made it: part of what is stored beside it. */
export type Made = Pick<Sidecar, 'game_version' | 'loader'>;

/**
 * How backups are made and stored; each of them can be cancelled by its signal and then leaves nothing. Errors are
 * `BackupError`s. Source: hosting §1d, §5.6.
 */
export interface BackupEngine {
  /** Makes a backup of `folder` that takes at most `max_bytes`. */
  create(job: BackupJob, folder: string, made: Made, max_bytes: number): Promise<BackupFacts>;
  /** What is stored beside it, null when that is lost. Throws `backup_not_found`. */
  describe(job: BackupJob): Promise<Sidecar | null>;
  /** Unpacks it into an empty folder. `backup_damaged` when it is not what was made; `sha256` is what is known of it. */
  restore(job: BackupJob, into: UnpackInto, sha256: string | null): Promise<Unpacked>;
  /** The same, and compares every file; null for `into` compares without writing. */
  verify(job: BackupJob, into: UnpackInto | null, sha256: string | null): Promise<Verified>;
  /** Deletes it, also what is left of one that was not finished. One that does not exist is no error. */
  delete(job: BackupJob): Promise<void>;
  /** Its content as one `tar.zst`. The last bytes come only when everything was right. */
  read(job: BackupJob): AsyncIterable<Buffer>;
}
export interface Unpacked {
  files: number;
  content_bytes: number;
}
export interface Verified extends Unpacked {
  damaged: string[];
}
