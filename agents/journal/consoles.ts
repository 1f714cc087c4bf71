import type { DatabaseSync } from 'node:sqlite';
import { lightly } from './open.ts';

/** Typed lines kept for one server: the engine's log does not hold them. */
const mostTyped = 1_000;

/** How far a console was read: `first` is its first line, which tells whether the engine's log still begins there. */
export interface Mark {
  epoch: string;
  first: string;
  seq: number;
  at: number;
}
export interface Typed {
  seq: number;
  at: number;
  text: string;
}

/** Where consoles stand, so that an agent that starts again numbers their lines as the one before did. */
export function consoleJournal(db: DatabaseSync) {
  return {
    mark(server_id: string, { epoch, first, seq, at }: Mark): void {
      lightly(db, () =>
        db
          .prepare(
            'insert or replace into consoles (server_id, epoch, first, seq, at) values (?, ?, ?, ?, ?)',
          )
          .run(server_id, epoch, first, seq, at),
      );
    },
    marked(server_id: string, epoch: string): Mark | null {
      const row = db
        .prepare('select epoch, first, seq, at from consoles where server_id = ? and epoch = ?')
        .get(server_id, epoch);
      return (row as Mark | undefined) ?? null;
    },
    type(server_id: string, epoch: string, { seq, at, text }: Typed): void {
      lightly(db, () => {
        db.prepare('delete from typed where server_id = ? and (epoch <> ? or seq < ?)').run(
          server_id,
          epoch,
          seq - 100 * mostTyped,
        );
        db.prepare(
          'insert or replace into typed (server_id, epoch, seq, at, text) values (?, ?, ?, ?, ?)',
        ).run(server_id, epoch, seq, at, text);
        db.prepare(`delete from typed where rowid in (
          select rowid from typed where server_id = ? order by seq desc limit -1 offset ${mostTyped})`).run(
          server_id,
        );
      });
    },
    typed: (server_id: string, epoch: string): Typed[] =>
      db
        .prepare('select seq, at, text from typed where server_id = ? and epoch = ? order by seq')
        .all(server_id, epoch) as unknown as Typed[],
  };
}
