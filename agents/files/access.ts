import type { FilesContext } from './files-context.ts';
import type { Reservation } from './quota.ts';
import type { Tree } from './tree.ts';
import type { Uploads } from './uploads.ts';

/** What a request on the files of one server works with. */
export interface Access {
  tree: Tree;
  uploads: Uploads;
  context: Pick<FilesContext, 'url' | 'now' | 'log' | 'fetchPublic'>;
  /** Aborted with the refusal `operation_canceled`; looked at while nothing is at its place yet. */
  signal: AbortSignal;
  /** One at a time for each server: looking for a conflict, and the change that depends on it. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Reserves bytes of the disk. Refuses `disk_full`. */
  reserve(bytes: number, unchecked?: 'unchecked'): Promise<Reservation>;
  /** Bytes that can still be written. */
  free(): Promise<number>;
}
