import { diskOf } from './folders.ts';

/**
 * How much of the disk with the servers' files stays free: databases and logs of this machine may be on it, and they must go on
 * when a server fills what it gets. A tenth, 2 GiB at most; below half of it, servers without a limit of their own end.
 */
export const reserveOf = (all_mb: number): number => Math.min(all_mb / 10, 2048);

export type Room = 'enough' | 'low' | 'none' | 'exhausted';

/**
 * Whether a disk has room: `low` starts nothing, `none` ends what may write without a limit, `exhausted` ends everything: an
 * image grows as it is written, and a file system in it breaks when that fails.
 */
export function roomOf({ all_mb, free_mb }: { all_mb: number; free_mb: number }): Room {
  const reserve = reserveOf(all_mb);
  if (free_mb >= reserve) return 'enough';
  if (free_mb >= reserve / 2) return 'low';
  return free_mb >= reserve / 4 ? 'none' : 'exhausted';
}

/** `roomOf` the disk with the agent's data. */
export const roomBelow = async (data: string): Promise<Room> => roomOf(await diskOf(data));

/** Whether a server has to end for lack of room; one that enforces its limit goes on as long as possible. */
export const mustEnd = (room: Room, enforces_limit: boolean): boolean =>
  room === 'exhausted' || (room === 'none' && !enforces_limit);
