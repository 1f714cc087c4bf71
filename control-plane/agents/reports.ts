import type { z } from 'zod';
import { recordHeartbeat } from '#db/hosting/nodes/write.ts';
import { raiseGenerations } from '#db/hosting/servers/generations.ts';
import { storeReports } from '#db/hosting/servers/observe.ts';
import { desiredOnNode } from '#db/hosting/servers/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import {
  type AgentEvent,
  type AgentEventType,
  agentEvents,
  type eventBatch,
  type inventory,
  type Reconciled,
} from '../protocol/agent.ts';
import type { Heartbeat } from '../protocol/heartbeat.ts';

/** Most characters of the data of one event, as JSON. */
const max_data_characters = 100_000;

/** What Postgres can store: no NUL and no half of a surrogate pair, which would refuse the whole batch each time. */
const storable = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, part) =>
    typeof part === 'string' ? part.replaceAll('\0', '').toWellFormed() : part,
  );

/** Data of a known type fits its shape; an event that does not is stored under another type and changes nothing. */
function toStorable(sent: AgentEvent): AgentEvent {
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
) => sql.begin((tx) => storeReports(tx, { node_id, lease, stream_id }, events.map(toStorable), now));

/** Stores a heartbeat, with the version of the protocol under which it came. Refuses `lease_stale`. */
export const storeHeartbeat = (
  sql: Pool,
  { node_id, protocol }: { node_id: string; protocol: number },
  { facts, ...beat }: Heartbeat,
  now: Date,
) => sql.begin((tx) => recordHeartbeat(tx, node_id, { ...beat, facts: { ...facts, protocol } }, now));

/**
 * What an agent must have, compared with what it reports that it has: the specifications that differ, and the servers
 * that must not be there. A database that was restored to an older state goes on above the generations agents know.
 */
export async function reconcile(
  sql: Pool,
  node_id: string,
  reported: z.output<typeof inventory>['servers'],
): Promise<Reconciled & { servers: string[] }> {
  const known = Object.entries(reported).map(([id, { generation }]) => ({ id, generation }));
  await raiseGenerations(sql, node_id, known);
  const desired = await desiredOnNode(sql, node_id);
  const staying = desired.filter(({ lifecycle }) => lifecycle !== 'deprovisioning');
  const staying_ids = new Set(staying.map(({ server_id }) => server_id));
  return {
    servers: desired.map(({ server_id }) => server_id),
    specs: staying
      .filter(({ server_id, spec }) => reported[server_id]?.generation !== spec.generation)
      .map(({ spec }) => spec),
    deleted: [
      ...new Set(
        [...Object.keys(reported), ...desired.map(({ server_id }) => server_id)].filter(
          (id) => !staying_ids.has(id),
        ),
      ),
    ],
  };
}

/** Throws `lease_stale` unless a message came under the lease of the socket it came over. */
export function assertLease(message: { lease: number }, lease: number): void {
  if (message.lease !== lease) throw new Refused('lease_stale');
}
