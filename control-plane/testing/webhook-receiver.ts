import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Signer } from 'standardwebhooks';
import { addAlertWebhook } from '#db/hosting/server-alerts/write.ts';
import { webhookPurpose } from '#db/messages/webhooks/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { publicRequester } from '#db/platform/runtime/public-request.ts';
import type { Sealer } from '#db/platform/secrets/seal.ts';

/** A server on loopback; `ends` gets what closes it. */
export async function listen(handler: RequestListener, ends: Array<() => unknown>): Promise<string> {
  const made = createServer(handler).listen(0, '127.0.0.1');
  await once(made, 'listening');
  ends.push(() => {
    made.closeAllConnections();
    made.close();
  });
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
}

/** A webhook of a server whose calls go to `address`, which nobody could enter. */
export async function webhookTo(
  { sql, sealer, now }: { sql: Pool; sealer: Sealer; now: Date },
  { actor, server_id }: { actor: Actor; server_id: string },
  address: string,
): Promise<{ id: string; secret: string }> {
  const input = { server_id, name: 'Pager', address: 'https://hooks.example.org/x' };
  const { secret, alerts } = await sql.begin((tx) => addAlertWebhook(tx, sealer, actor, input, now));
  const { id } = alerts.webhooks[0]!;
  await sql`update webhooks set address = ${sealer.seal(address, webhookPurpose(id, 'address'))} where id = ${id}`;
  return { id, secret };
}

/** Requests that may go to this machine. */
export const loopback = publicRequester({
  ...{ allow: (address) => address === '127.0.0.1', answer_ms: 15_000 },
});

/** Keeps the calls that are signed with `secret()`, and refuses others. */
export async function receiver(secret: () => string, ends: Array<() => unknown>) {
  const calls: { type: string; data: Record<string, Record<string, unknown>> }[] = [];
  const address = await listen(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
    // the clock of a test may be ahead, which a receiver would refuse
    const right = new Signer(secret()).sign(String(id), new Date(Number(at) * 1_000), body);
    if (signature === right) calls.push(JSON.parse(body));
    response.writeHead(signature === right ? 204 : 401).end();
  }, ends);
  return { calls, address };
}
