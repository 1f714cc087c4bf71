import type { DatabaseSync } from 'node:sqlite';
import { withoutSync } from './open.ts';

/** Maximum number of stored commands of one server: Docker's log does not contain them. */
const max_typed = 1_000;
/** Commands between two removals of old ones. */
const trim_interval = 100;

/** How far a console was read. `first` is its first line, which shows whether Docker's log still begins there. */
export interface ReadPosition {
  epoch: string;
  first: string;
  seq: number;
  at: number;
}
export interface TypedCommand {
  seq: number;
  at: number;
  text: string;
}

/** Read positions of consoles, so that a restarted agent numbers lines as the one before did. */
export function consoleStore(db: DatabaseSync) {
  const putPosition = db.prepare(
    'insert or replace into consoles (server_id, epoch, first, seq, at) values (?, ?, ?, ?, ?)',
  );
  const findPosition = db.prepare(
    'select epoch, first, seq, at from consoles where server_id = ? and epoch = ?',
  );
  const putTyped = db.prepare(
    'insert or replace into typed (server_id, epoch, seq, at, text) values (?, ?, ?, ?, ?)',
  );
  const dropOlder = db.prepare('delete from typed where server_id = ? and epoch <> ?');
  const dropMost = db.prepare(`delete from typed where rowid in (
    select rowid from typed where server_id = ? order by seq desc limit -1 offset ${max_typed})`);
  /** Commands since the last removal of old ones, by server: removing at each command would delay its answer. */
  const since = new Map<string, { epoch: string; count: number }>();
  return {
    saveReadPosition(server_id: string, { epoch, first, seq, at }: ReadPosition): void {
      withoutSync(db, () => putPosition.run(server_id, epoch, first, seq, at));
    },
    readPosition(server_id: string, epoch: string): ReadPosition | null {
      return (findPosition.get(server_id, epoch) as ReadPosition | undefined) ?? null;
    },
    saveTypedCommand(server_id: string, epoch: string, { seq, at, text }: TypedCommand): void {
      const before = since.get(server_id);
      const count = before?.epoch === epoch ? (before.count + 1) % trim_interval : 0;
      since.set(server_id, { epoch, count });
      withoutSync(db, () => {
        putTyped.run(server_id, epoch, seq, at, text);
        if (count > 0) return;
        dropOlder.run(server_id, epoch);
        dropMost.run(server_id);
      });
    },
    typedCommands: (server_id: string, epoch: string): TypedCommand[] =>
      db
        .prepare('select seq, at, text from typed where server_id = ? and epoch = ? order by seq')
        .all(server_id, epoch) as unknown as TypedCommand[],
  };
}
