import { diskOf } from './folders.ts';

/**
 * How much of the disk with the servers' files stays free: databases and logs of this machine may be on it, and they must go on
 * when a server fills what it gets. A tenth, 2 GiB at most; below half of it, servers without a limit of their own end.
 */
export const reserveOf = (all_mb: number): number => Math.min(all_mb / 10, 2048);

export type Room = 'enough' | 'low' | 'none';

/** Whether the disk of the agent's data has room: `low` starts nothing, `none` ends what may write without a limit. */
export async function roomBelow(data: string, of = diskOf): Promise<Room> {
  const { all_mb, free_mb } = await of(data);
  const reserve = reserveOf(all_mb);
  return free_mb >= reserve ? 'enough' : free_mb >= reserve / 2 ? 'low' : 'none';
}
