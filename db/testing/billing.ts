import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from '../hosting/servers/write.ts';
import { settle } from '../money/billing/charges.ts';
import type { BillingContext } from '../money/billing/checkout.ts';
import { methodOf } from '../money/billing/customers.ts';
import { sandboxPayments, signSandboxWebhook } from '../money/billing/processors/sandbox.ts';
import { paidOrder } from '../money/billing/read.ts';
import type { Region } from '../money/billing/rules.ts';
import { webhookSecret } from '../money/billing/webhook-secret.ts';
import { type OrderInput, placeOrder } from '../money/billing/write.ts';
import { newId } from '../platform/id.ts';
import type { JobQueue } from '../platform/jobs/queue.ts';
import type { JobName, Jobs } from '../platform/jobs/queues.ts';
import type { Db, Pool } from '../platform/postgres/sql.ts';
import { parseSettings } from '../platform/runtime/env.ts';
import { createSealer } from '../platform/secrets/seal.ts';
import { actorFor, type BuiltUser } from './builders/build.ts';

/** The signature of a webhook body, with the key of the test's database. */
export const signWebhook = async (db: Db, body: string, now: Date): Promise<string> =>
  signSandboxWebhook(await webhookSecret(db, sandboxPayments), body, now);

/** A billing context on a test's database that collects its jobs in a list. */
export function testBilling(database: {
  sql: Pool;
}): BillingContext & { jobs: Array<{ name: JobName; data: object }> } {
  const jobs: Array<{ name: JobName; data: object }> = [];
  const board: Pick<JobQueue, 'enqueue'> = {
    async enqueue<N extends JobName>(_db: Db, name: N, data: Jobs[N]) {
      jobs.push({ name, data });
    },
  };
  return {
    get sql() {
      return database.sql;
    },
    payments: sandboxPayments,
    board,
    mailing: { settings: parseSettings({}), sealer: createSealer(randomBytes(32)) },
    jobs,
  };
}

/** A card of the test processor with this number. */
export const testCard = (number: string) => ({ number, expires_month: 12, expires_year: 2030 });
/** A test card whose payments take their time. */
export const slowCard = testCard('4000000000003220');

/** An order: a small server in Central Europe, paid monthly, unless `given` says otherwise. */
export const orderInput = (given: Partial<OrderInput> = {}): OrderInput => ({
  op_id: randomUUID(),
  name: 'Valley',
  plan: 'small',
  interval: 'monthly',
  region: 'central-europe',
  currency: 'USD',
  kind: 'local',
  game_version: '1.16.5',
  loader: null,
  starts: true,
  terms_accepted: true,
  address: null,
  ...given,
});

/** An online node with capacity for `rooms` small servers. */
export async function nodeWithRoom(
  db: Db,
  { rooms = 100, region = 'central-europe' as Region, seen = new Date() } = {},
): Promise<string> {
  const id = newId();
  const row = {
    id,
    name: `node-${id.toLowerCase()}`,
    region,
    public_address: '127.0.0.1',
    status: 'online',
    ram_mb: rooms * 4096,
    cpu_millis: rooms * 2000,
    disk_mb: rooms * 32 * 1024,
    last_seen: seen,
    facts: db.json({ kinds: ['local'] }),
  };
  await db`insert into nodes ${db(row)}`;
  return id;
}

/** A server without a node that its owner ordered and paid, and that stays off. There has to be room for it. */
export async function paidServer(
  sql: Pool,
  owner: BuiltUser,
  given: Partial<OrderInput> = {},
): Promise<string> {
  const [now, payments, actor] = [new Date(), sandboxPayments, actorFor(owner)];
  const method = await methodOf(sql, payments, actor, testCard('4242424242424242'), now);
  return await sql.begin(async (tx) => {
    const order = orderInput({ starts: false, ...given });
    const { order_id, charge_id } = await placeOrder(tx, actor, order, { payments, method }, now);
    const paid = { intent_id: `test_${order_id}`, state: 'succeeded' as const, failure: null };
    await settle(tx, { id: charge_id! }, paid, now);
    const server = (await paidOrder(tx, order_id))!;
    await createServer(tx, server);
    return server.id;
  });
}
