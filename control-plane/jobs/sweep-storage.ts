import type { Job } from './run.ts';

/** Removes stored files that belong to nothing. */
export const sweepStorage: Job<'sweep_storage'> = async ({ sql, storage, now }) => {
  const { sweep } = await import('#db/files/sweep.ts');
  return { removed: await sweep(sql, storage, now()) };
};
