import type { DatabaseSync } from 'node:sqlite';
import { transaction, withoutSync } from './open.ts';

/** Maximum number of stored lines of one server that Docker's log does not contain. */
const max_typed = 1_000;
/** Such lines between two removals of old ones. */
const trim_interval = 100;

/** How far a console was read. `first` is its first line, which shows whether Docker's log still begins there. */
export interface ReadPosition {
  epoch: string;
  first: string;
  seq: number;
  at: number;
}
/** A line that Docker's log does not contain: a command that a user typed, or what Cairn itself did. */
export interface AddedLine {
  seq: number;
  at: number;
  stream: 'in' | 'cairn';
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
    'insert or replace into typed (server_id, epoch, seq, at, stream, text) values (?, ?, ?, ?, ?, ?)',
  );
  const dropOlder = db.prepare('delete from typed where server_id = ? and epoch <> ?');
  const dropMost = db.prepare(`delete from typed where rowid in (
    select rowid from typed where server_id = ? order by seq desc limit -1 offset ${max_typed})`);
  const hideOne = db.prepare(`insert into hidden (server_id, epoch, seq, lines) values (?, ?, ?, 1)
    on conflict (server_id, epoch, seq) do update set lines = lines + 1`);
  const dropHidden = db.prepare('delete from hidden where server_id = ? and epoch <> ?');
  /** Lines since the last removal of old ones, by server: removing at each command would delay its answer. */
  const since = new Map<string, { epoch: string; count: number }>();
  return {
    saveReadPosition(server_id: string, { epoch, first, seq, at }: ReadPosition): void {
      withoutSync(db, () => putPosition.run(server_id, epoch, first, seq, at));
    },
    readPosition(server_id: string, epoch: string): ReadPosition | null {
      return (findPosition.get(server_id, epoch) as ReadPosition | undefined) ?? null;
    },
    saveAddedLine(server_id: string, epoch: string, { seq, at, stream, text }: AddedLine): void {
      const before = since.get(server_id);
      const count = before?.epoch === epoch ? (before.count + 1) % trim_interval : 0;
      since.set(server_id, { epoch, count });
      withoutSync(db, () => {
        putTyped.run(server_id, epoch, seq, at, stream, text);
        if (count === 0)
          transaction(db, () => {
            dropOlder.run(server_id, epoch);
            dropMost.run(server_id);
          });
      });
    },
    addedLines: (server_id: string, epoch: string): AddedLine[] =>
      db
        .prepare('select seq, at, stream, text from typed where server_id = ? and epoch = ? order by seq')
        .all(server_id, epoch) as unknown as AddedLine[],
    /** A line of the process was left out of the console, before the line with number `seq`. */
    hideLine(server_id: string, epoch: string, seq: number): void {
      withoutSync(db, () =>
        transaction(db, () => {
          dropHidden.run(server_id, epoch);
          hideOne.run(server_id, epoch, seq);
        }),
      );
    },
    /** How many lines of the process were left out before each number. */
    hiddenLines: (server_id: string, epoch: string): Map<number, number> =>
      new Map(
        db
          .prepare('select seq, lines from hidden where server_id = ? and epoch = ?')
          .all(server_id, epoch)
          .map(({ seq, lines }) => [seq as number, lines as number]),
      ),
  };
}
