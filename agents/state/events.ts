import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import type { AgentEvent, AgentEventType, agentEvents } from '#control/protocol/agent.ts';

/**
 * Maximum number of waiting events; after a long outage the control plane receives only the latest of each type and
 * server.
 */
const max_events = 10_000;
const chunk_size = 500;

export type EventData<T extends AgentEventType> = z.input<(typeof agentEvents)[T]>;

/** The outbox: events in order with dense numbers, stored until the control plane acknowledges them. */
export function eventStore(db: DatabaseSync, limit = max_events) {
  const add = db.prepare('insert into events (server_id, type, at, data) values (?, ?, ?, ?)');
  const waiting = db.prepare('select count(*) as count from events');
  const newest = db.prepare('select seq from events where server_id is ? and type = ? order by seq desc');
  const replace = db.prepare('update events set at = ?, data = ? where seq = ?');
  return {
    /** Stores an event. When too many wait, one of the same type and server is overwritten: numbers stay dense. */
    record<T extends AgentEventType>(
      type: T,
      server_id: string | null,
      data: EventData<T>,
      at: number,
    ): void {
      const [when, text] = [new Date(at).toISOString(), JSON.stringify(data)];
      if ((waiting.get()?.count as number) >= limit && type !== 'operation.ended') {
        const seq = newest.get(server_id, type)?.seq as number | undefined;
        if (seq !== undefined) {
          replace.run(when, text, seq);
          return;
        }
      }
      add.run(server_id, type, when, text);
    },

    /** The oldest `limit` events that wait. */
    next(limit: number): AgentEvent[] {
      return db
        .prepare('select seq, server_id, type, at, data from events order by seq limit ?')
        .all(limit)
        .map((row) => ({ ...row, data: JSON.parse(row.data as string) }) as unknown as AgentEvent);
    },

    /** The control plane has everything up to `seq`. Deletes in chunks, so that nothing else waits long. */
    acknowledge(seq: number): void {
      const drop = db.prepare(
        'delete from events where seq in (select seq from events where seq <= ? limit ?)',
      );
      while (Number(drop.run(seq, chunk_size).changes) === chunk_size);
    },
  };
}
