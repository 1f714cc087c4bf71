import { Refused } from '../errors.ts';
import type { Space } from './storage.ts';

/** The most that is kept free, and the part of a small disk that is. */
const max_reserve_bytes = 5 * 1024 ** 3;
const reserve_share = 0.05;

/** How much of a store of `total_bytes` uploads leave free: the database may be on the same disk. */
export const reserveBytes = ({ total_bytes }: Space): number =>
  Math.min(max_reserve_bytes, Math.floor(total_bytes * reserve_share));

/** Refuses `storage_full` when taking `wanted_bytes` more would use the reserve. */
export function assertSpace(space: Space | null, wanted_bytes = 0): void {
  if (space && space.free_bytes - wanted_bytes < reserveBytes(space)) throw new Refused('storage_full');
}

/** Runs `work`; a full disk or an exhausted quota of it becomes the refusal `storage_full`. */
export async function mapDiskFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Refused('storage_full');
    throw error;
  }
}
