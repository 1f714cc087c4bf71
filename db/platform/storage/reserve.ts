import { Refused } from '../errors.ts';
import type { Space } from './storage.ts';

/** Maximum of the reserve, and its share on a small disk. */
const max_reserve_bytes = 5 * 1024 ** 3;
const reserve_share = 0.05;

/** Bytes of a disk of `total_bytes` that uploads leave free, because the database may be on the same disk. */
export const reserveBytes = ({ total_bytes }: Space): number =>
  Math.min(max_reserve_bytes, Math.floor(total_bytes * reserve_share));

/** Refuses `storage_full` when storing `wanted_bytes` would use the reserve. */
export function assertSpace(space: Space | null, wanted_bytes = 0): void {
  if (space && space.free_bytes - wanted_bytes < reserveBytes(space)) throw new Refused('storage_full');
}

/**
 * The same for texts, which go to the database: they may use half of the reserve, that it stays able to write what is
 * small. Refuses `storage_full`.
 */
export function assertTextSpace(space: Space | null, wanted_bytes: number): void {
  if (space && space.free_bytes - wanted_bytes < reserveBytes(space) / 2) throw new Refused('storage_full');
}

/** Runs `work`; a full disk or an exceeded disk quota becomes the refusal `storage_full`. */
export async function mapDiskFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Refused('storage_full');
    throw error;
  }
}
