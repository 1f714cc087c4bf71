import { syncFiles } from '../backups/swap.ts';
import type { Tree } from '../files/tree.ts';

/** Waits until all that was written below the files of a server is on the disk. */
export const syncTree = ({ root }: Tree): Promise<void> =>
  // another process reaches the folder by our descriptor
  syncFiles(`/proc/${process.pid}/fd/${root.handle.fd}`);
