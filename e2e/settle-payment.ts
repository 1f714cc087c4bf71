import { randomUUID } from 'node:crypto';
import { signWebhook } from '../db/testing/billing.ts';
import { withDatabase } from './database.ts';
import { site } from './product.ts';

/** Lets a payment that takes its time wait until `settlePayment`, instead of about ten seconds. */
export const holdPayment = (server_id: string): Promise<void> =>
  withDatabase(async (sql) => {
    const tomorrow = Date.now() + 86_400_000;
    const held = await sql`
      update charges c set intent_id = ${`test_wait_${tomorrow}_${server_id}`} from subscriptions u
      where u.id = c.subscription_id and u.server_id = ${server_id} and c.state = 'waiting'`;
    if (held.count !== 1) throw new Error(`No payment of ${server_id} is waiting`);
  });

/** Lets the payment processor report the outcome of the first payment of a server. */
export const settlePayment = (server_id: string, state: 'succeeded' | 'failed'): Promise<void> =>
  withDatabase(async (sql) => {
    const [charge] = await sql<Array<{ intent_id: string }>>`
      select c.intent_id from charges c join subscriptions u on u.id = c.subscription_id
      where u.server_id = ${server_id} and c.state = 'waiting'`;
    if (!charge) throw new Error(`No payment of ${server_id} is waiting`);
    const failure = state === 'failed' ? 'declined' : null;
    const body = JSON.stringify({
      id: randomUUID(),
      outcome: { intent_id: charge.intent_id, state, failure },
    });
    const headers = { 'cairn-signature': await signWebhook(sql, body, new Date()) };
    const url = `${site}/_internal/billing/webhook/test`;
    const answer = await fetch(url, { method: 'POST', body, headers });
    if (!answer.ok) throw new Error(`The webhook was answered with ${answer.status}`);
  });
