import { derivedId, newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ServerWebhookEvent, webhookLimits } from './rules.ts';

interface ServerCall {
  type: ServerWebhookEvent | 'test';
  /** What the call says beside the server. */
  data: Record<string, unknown>;
  /** What it is about: the same call is not queued twice. Null: each one is another. */
  about: string | null;
}

/**
 * Queues a call for each webhook of a server, in the caller's transaction: the same sender as for projects signs and sends
 * it. A test goes also to those that are off.
 */
export async function queueServerCalls(
  tx: Db,
  server: { server_id: string; name: string },
  { type, data, about }: ServerCall,
  now: Date,
): Promise<void> {
  const webhooks = await tx<{ id: string }[]>`
    select id from webhooks w where server_id = ${server.server_id} and (enabled or ${type === 'test'})
      and (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting')
        < ${webhookLimits.waiting}`;
  const of = { server: { id: server.server_id, name: server.name }, ...data };
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data: of });
  for (const { id: webhook_id } of webhooks) {
    const id = about === null ? newId() : derivedId(`${about} ${webhook_id}`);
    const row = { id, webhook_id, type, body, due: now, created: now };
    await tx`insert into webhook_deliveries ${tx(row)} on conflict (id) do nothing`;
  }
}
