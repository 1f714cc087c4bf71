import type { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { seen } from '#db/nodes/write.ts';
import { raiseGenerations } from '#db/servers/generations.ts';
import { storeReports } from '#db/servers/observe.ts';
import { wantedOnNode } from '#db/servers/read.ts';
import type { Pool } from '#db/sql.ts';
import {
  type AgentEvent,
  type AgentEventType,
  agentEvents,
  type eventBatch,
  type Heartbeat,
  type inventory,
  type Reconciled,
} from '../agent-protocol.ts';

/** Most characters of the data of one event, as JSON. */
const max_data_characters = 100_000;

/** What Postgres can store: no NUL and no half of a surrogate pair, which would refuse the whole batch each time. */
const storable = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, part) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  );

/** Data of a known type fits its shape; an event that does not is stored under another type and changes nothing. */
function checked(sent: AgentEvent): AgentEvent {
  const event = storable(sent);
  const malformed = { ...event, type: 'malformed', data: { type: event.type } };
  if (Object.hasOwn(agentEvents, event.type)) {
    const parsed = agentEvents[event.type as AgentEventType].safeParse(event.data);
    if (!parsed.success) return malformed;
    event.data = parsed.data;
  }
  return JSON.stringify(event.data).length > max_data_characters ? malformed : event;
}

/** Stores a batch with what it changes in one transaction. Refuses `lease_stale`. */
export const storeBatch = (
  sql: Pool,
  node_id: string,
  { lease, stream_id, events }: z.output<typeof eventBatch>,
  now: Date,
) => sql.begin((tx) => storeReports(tx, { node_id, lease, stream_id }, events.map(checked), now));

/** A node said that it is there. Refuses `lease_stale`. */
export const storeHeartbeat = (sql: Pool, node_id: string, { facts, ...beat }: Heartbeat, now: Date) =>
  sql.begin((tx) => seen(tx, node_id, { ...beat, facts }, now));

/**
 * What an agent must hold, compared with what it says it holds: the wishes that differ, and what must not be there.
 * A record that was put back to an older state goes on above the generations that agents know already.
 */
export async function reconcile(
  sql: Pool,
  node_id: string,
  held: z.output<typeof inventory>['servers'],
): Promise<Reconciled & { servers: string[] }> {
  const known = Object.entries(held).map(([id, { generation }]) => ({ id, generation }));
  await raiseGenerations(sql, node_id, known);
  const wanted = await wantedOnNode(sql, node_id);
  const stay = wanted.filter(({ lifecycle }) => lifecycle !== 'deprovisioning');
  const staying = new Set(stay.map(({ server_id }) => server_id));
  return {
    servers: wanted.map(({ server_id }) => server_id),
    specs: stay
      .filter(({ server_id, spec }) => held[server_id]?.generation !== spec.generation)
      .map(({ spec }) => spec),
    deleted: [
      ...new Set(
        [...Object.keys(held), ...wanted.map(({ server_id }) => server_id)].filter((id) => !staying.has(id)),
      ),
    ],
  };
}

/** Throws `lease_stale` unless a message came under the lease of the socket it came over. */
export function sameLease(message: { lease: number }, lease: number): void {
  if (message.lease !== lease) throw new Refused('lease_stale');
}
