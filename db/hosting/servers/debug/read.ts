import type { Db } from '../../../platform/postgres/sql.ts';

/** What the database knows of the last days of a server, for a debug bundle. */

const days = 7;
/** Of each kind, the newest of them. */
const max_rows = 200;

/** One operation, event or change: when, what, and its data as text. */
export interface DebugRow {
  at: string;
  name: string;
  /** Who caused it, without a name. */
  by: 'owner' | 'other' | 'system';
  detail: unknown;
}

interface DebugHistory {
  operations: DebugRow[];
  events: DebugRow[];
  /** Facts of its node; null before it is on one. */
  node: unknown;
}

/** Operations and events of the last 7 days, newest first, and what is known of the node. Arguments stay out. */
export async function debugHistory(db: Db, server_id: string, now: Date): Promise<DebugHistory> {
  const since = new Date(now.getTime() - days * 86_400_000);
  const by = (actor: ReturnType<Db>) => db`
    case when ${actor} is null then 'system' when ${actor} = s.owner_id then 'owner' else 'other' end as by`;
  const operations = await db<DebugRow[]>`
    select o.created as at, o.kind || ' ' || o.state as name, ${by(db`o.actor_id`)},
      jsonb_strip_nulls(jsonb_build_object('ended', o.ended,
        'error', case when o.state = 'failed' then o.result end)) as detail
    from server_operations o join servers s on s.id = o.server_id
    where o.server_id = ${server_id} and o.created > ${since}
    order by o.created desc, o.id limit ${max_rows}`;
  const events = await db<DebugRow[]>`
    select e.created as at, e.name, ${by(db`e.actor_id`)}, e.data as detail
    from events e join servers s on s.id = e.server_id
    where e.server_id = ${server_id} and e.created > ${since}
    order by e.id desc limit ${max_rows}`;
  const [row] = await db<{ node: unknown }[]>`
    select jsonb_build_object('name', n.name, 'status', n.status, 'last_seen', n.last_seen, 'facts', n.facts) as node
    from servers s join nodes n on n.id = s.node_id where s.id = ${server_id}`;
  return { operations, events, node: row?.node ?? null };
}
