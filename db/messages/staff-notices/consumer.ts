import type { EventConsumer } from '../../platform/events/consumer.ts';
import { transactionalConsumer } from '../../platform/events/from-now.ts';
import type { Event } from '../../platform/events/read.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import type { StaffNotice } from './rules.ts';
import { notifyStaff, type StaffNotifying } from './write.ts';

/** Name of the event cursor of notices to staff. */
const cursor_name = 'staff_notices';

/**
 * Tells staff of servers that broke, of nodes that are silent and of reports that something is malicious, each once: notices and cursor are stored
 * in one transaction. Events before the first start count as handled.
 */
export function staffNoticeConsumer({
  sql,
  now,
  ...notifying
}: StaffNotifying & { sql: Pool; now(): Date }): EventConsumer {
  return transactionalConsumer(sql, cursor_name, async (tx, events) => {
    for (const notice of await noticesOf(tx, events)) await notifyStaff(tx, notifying, notice, now());
  });
}

async function noticesOf(tx: Db, events: readonly Event[]): Promise<Array<StaffNotice & { key: string }>> {
  const idsOf = (name: Event['name'], column: 'report_id' | 'server_id' | 'node_id') =>
    events.flatMap((event) => (event.name === name && event[column] ? [event[column]] : []));
  const reported = idsOf('report.created', 'report_id');
  const broken = events.filter(({ name }) => name === 'server.broken');
  const reports = reported.length
    ? await tx<Array<{ id: string; item_type: string }>>`
        select id, item_type from reports where id = any(${reported}) and report_type = 'malicious'`
    : [];
  const offline = events.filter(({ name }) => name === 'node.offline');
  const nodes = offline.length
    ? await tx<Array<{ id: string; name: string; servers: number }>>`
        select n.id, n.name, (select count(*)::int from servers where node_id = n.id) as servers
        from nodes n where n.id = any(${idsOf('node.offline', 'node_id')})`
    : [];
  const servers = broken.length
    ? await tx<Array<{ id: string; name: string }>>`
        select id, name from servers where id = any(${idsOf('server.broken', 'server_id')})`
    : [];
  return [
    ...reports.map(({ id, item_type }) => ({
      kind: 'malicious_report' as const,
      key: `report ${id}`,
      data: { report_id: id, item_type },
    })),
    ...broken.flatMap((event) => {
      const server = servers.find(({ id }) => id === event.server_id);
      if (!server) return [];
      const data = { server_id: server.id, name: server.name };
      return [{ kind: 'server_broken' as const, key: `event ${event.id}`, data }];
    }),
    ...offline.flatMap((event) => {
      const node = nodes.find(({ id }) => id === event.node_id);
      if (!node) return [];
      const data = { node_id: node.id, name: node.name, servers: node.servers };
      return [{ kind: 'node_offline' as const, key: `event ${event.id}`, data }];
    }),
  ];
}
