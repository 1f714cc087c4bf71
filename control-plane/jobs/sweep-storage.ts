import { sweep } from '#db/files/sweep.ts';
import type { Job } from './run.ts';

/** Removes stored files that belong to nothing. */
export const sweepStorage: Job<'sweep_storage'> = async ({ sql, storage, now }) => ({
  ...(await sweep(sql, storage, now())),
});
