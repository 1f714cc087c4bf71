import type { Logger } from 'pino';
import { folderOf, usedMb } from './folders.ts';

/** A folder is not counted more often than this unless somebody must know, and one that takes long more seldom. */
const least_ms = 10_000;
const share = 100;

/** Counts what servers' folders take, one count of a folder at a time; between counts the last one is given. */
export function folderCounts(data: string, log: Logger) {
  const counts = new Map<
    string,
    { at: number; took: number; mb: number; counting: Promise<number> | null }
  >();
  const count = async (server_id: string, before: number): Promise<number> => {
    let mb = before;
    const begun = Date.now();
    try {
      mb = await usedMb(folderOf(data, server_id));
    } catch (error) {
      log.debug({ server_id, err: error }, 'A folder could not be counted');
    }
    counts.set(server_id, { at: Date.now(), took: Date.now() - begun, mb, counting: null });
    return mb;
  };
  return {
    async usedMb(server_id: string, when?: 'now'): Promise<number> {
      const { at, took, mb, counting } = counts.get(server_id) ?? { at: 0, took: 0, mb: 0, counting: null };
      const fresh = Date.now() - at < Math.max(least_ms, took * share);
      if (when !== 'now' && (fresh || (counting && at > 0))) return mb;
      // a count that runs already may have passed what was just removed
      if (counting && when !== 'now') return await counting;
      if (counting) await counting;
      const now = count(server_id, mb);
      counts.set(server_id, { at, took, mb, counting: now });
      return await now;
    },
    forget: (server_id: string): void => void counts.delete(server_id),
  };
}
