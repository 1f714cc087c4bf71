import type { Logger } from 'pino';
import { folderOf, usedMb } from './folders.ts';

/** Folders are counted less often when counting takes long. */
const interval_factor = 100;
/** Requests within this time are counted by one process. */
const batch_window_ms = 50;

/**
 * Counts the disk usage of servers' folders, not more often than in `min_interval_ms` unless the exact number is needed;
 * between counts the last number is given.
 */
export function diskUsageCache(data: string, log: Logger, min_interval_ms: number) {
  const counts = new Map<string, { at: number; took: number; mb: number }>();
  let wanted = new Set<string>();
  let counting: Promise<void> | null = null;

  const count = async (): Promise<void> => {
    await new Promise((done) => setTimeout(done, batch_window_ms));
    const server_ids = [...wanted];
    [wanted, counting] = [new Set(), null];
    const begun = Date.now();
    const used = await usedMb(server_ids.map((id) => folderOf(data, id))).catch((error) => {
      log.debug({ err: error }, 'Folders could not be counted');
      return [];
    });
    const [at, took] = [Date.now(), Date.now() - begun];
    for (const [index, id] of server_ids.entries())
      counts.set(id, { at, took, mb: used[index] ?? counts.get(id)?.mb ?? 0 });
  };
  const soon = (server_id: string): Promise<void> => {
    wanted.add(server_id);
    counting ??= count();
    return counting;
  };

  return {
    async usedMb(server_id: string, when?: 'now'): Promise<number> {
      const before = counts.get(server_id);
      if (!before || when === 'now') await soon(server_id);
      else if (Date.now() - before.at >= Math.max(min_interval_ms, before.took * interval_factor))
        void soon(server_id);
      return counts.get(server_id)?.mb ?? 0;
    },
    forget: (server_id: string): void => void counts.delete(server_id),
  };
}
