import { derivedId, newId } from '../id.ts';
import type { Db } from '../sql.ts';
import { webhookLimits } from './rules.ts';

interface Alert {
  alert_id: string;
  kind: string;
  state: 'began' | 'ended' | 'test';
  value: number | null;
  bound: number | null;
}

/**
 * Queues a call about an alert for each webhook of a server, in the caller's transaction: the same sender as for projects
 * signs and sends it. A test goes also to those that are off.
 */
export async function queueServerCalls(
  tx: Db,
  server: { server_id: string; name: string },
  { alert_id, kind, state, value, bound }: Alert,
  now: Date,
): Promise<void> {
  const webhooks = await tx<{ id: string }[]>`
    select id from webhooks w where server_id = ${server.server_id} and (enabled or ${state === 'test'})
      and (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting')
        < ${webhookLimits.waiting}`;
  const type = state === 'test' ? 'test' : `server.alert_${state}`;
  const about = { server: { id: server.server_id, name: server.name } };
  const data = state === 'test' ? about : { ...about, alert: { id: alert_id, kind, value, bound } };
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  for (const { id: webhook_id } of webhooks) {
    const id = state === 'test' ? newId() : derivedId(`alert ${alert_id} ${state} ${webhook_id}`);
    const row = { id, webhook_id, type, body, due: now, created: now };
    await tx`insert into webhook_deliveries ${tx(row)} on conflict (id) do nothing`;
  }
}
