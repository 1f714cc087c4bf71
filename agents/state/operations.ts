import type { DatabaseSync } from 'node:sqlite';
import type { Operation } from '#control/protocol/agent.ts';

/**
 * Ended operations are stored this long, so that one that is sent again is not executed again. Source: hosting §5.3.
 */
const retention_ms = 7 * 24 * 3_600_000;

export type OperationState = 'accepted' | 'done' | 'failed' | 'interrupted' | 'expired';
export interface StoredOperation {
  id: string;
  server_id: string;
  kind: string;
  args: Record<string, unknown>;
  state: OperationState;
}

/** Operations, stored before they are executed, so that each is executed at most once. */
export function operationStore(db: DatabaseSync) {
  const columns = 'id, server_id, kind, args, state';
  const read = (row: Record<string, unknown>) =>
    ({ ...row, args: JSON.parse(row.args as string) }) as unknown as StoredOperation;
  return {
    find(id: string): StoredOperation | null {
      const row = db.prepare(`select ${columns} from operations where id = ?`).get(id);
      return row ? read(row) : null;
    },
    accept({ op_id, server_id, kind, args }: Operation, now: number): void {
      db.prepare(
        "insert into operations (id, server_id, kind, args, state, accepted) values (?, ?, ?, ?, 'accepted', ?)",
      ).run(op_id, server_id, kind, JSON.stringify(args), now);
    },
    end(id: string, state: OperationState, result: object, now: number): void {
      db.prepare('update operations set state = ?, result = ?, ended = ? where id = ?').run(
        state,
        JSON.stringify(result),
        now,
        id,
      );
    },
    /** Operations that were started and did not end, oldest first. */
    unfinished: (): StoredOperation[] =>
      db.prepare(`select ${columns} from operations where ended is null order by accepted`).all().map(read),
    purge: (now: number): void =>
      void db.prepare('delete from operations where ended < ?').run(now - retention_ms),
  };
}
