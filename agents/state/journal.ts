import type { DatabaseSync } from 'node:sqlite';

/**
 * What has to be undone or finished when the agent ends in the middle, by server: stored before it begins. Source: hosting
 * §5.6.
 */
export interface JournalEntries {
  /** Its process was told to save nothing, for a backup. */
  saving_off: { epoch: string };
  /** Its content is being changed; while files are exchanged it must not start. */
  changing: { phase: 'fetching' | 'exchanging' };
  /** Its files are being replaced, and it must not start. */
  restoring: {
    /**
     * `unpacking`: the new files are beside the old ones; `moving_out` and `moving_in`: names are exchanged; `moving_back`:
     * the new ones go away again; `replacing`: the old files are in the archive `undo` only; `cleaning`: nothing but remains
     * to be removed.
     */
    phase: 'unpacking' | 'moving_out' | 'moving_in' | 'moving_back' | 'replacing' | 'cleaning';
    undo: string | null;
  };
}
export type JournalKind = keyof JournalEntries;

export function journalStore(db: DatabaseSync) {
  const one = db.prepare('select data from journal where server_id = ? and kind = ?');
  const put = db.prepare('insert or replace into journal (server_id, kind, data) values (?, ?, ?)');
  const gone = db.prepare('delete from journal where server_id = ? and kind = ?');
  return {
    find<K extends JournalKind>(server_id: string, kind: K): JournalEntries[K] | null {
      const row = one.get(server_id, kind);
      return row ? (JSON.parse(row.data as string) as JournalEntries[K]) : null;
    },
    save<K extends JournalKind>(server_id: string, kind: K, data: JournalEntries[K]): void {
      put.run(server_id, kind, JSON.stringify(data));
    },
    remove(server_id: string, kind: JournalKind): void {
      gone.run(server_id, kind);
    },
  };
}
export type JournalStore = ReturnType<typeof journalStore>;
