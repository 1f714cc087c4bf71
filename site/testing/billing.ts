import { createServer } from '#db/hosting/servers/write.ts';
import { checkout } from '#db/money/billing/checkout.ts';
import { addMethod } from '#db/money/billing/methods.ts';
import type { Card } from '#db/money/billing/payments.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import type { testDatabase } from '#db/testing/database.ts';
import { testApi } from './api.ts';

interface Person {
  id: string;
  actor: Actor;
  headers: Record<string, string>;
}
interface Charge {
  id: string;
  reason: string;
  state: string;
  amount_minor: number;
  intent_id: string | null;
  last_four: string;
}

/** A shop of test cards on a test's database, asked by HTTP as programs ask it. */
export function billingClient(database: ReturnType<typeof testDatabase>) {
  const api = testApi(database, { PAYMENTS: 'test', ADMIN_KEY: 'key-of-the-operator' });
  const till = testBilling(database);
  let node_id = '';
  let port = 27_000;

  /** A node with room for many servers; before all tests. */
  async function open(): Promise<void> {
    node_id = await nodeWithRoom(database.sql, { rooms: 1_000 });
    const facts = { cpu_millis: 8_000_000, ram_mb: 8_000_000, disk_mb: 64_000_000, kinds: ['local'] };
    await database.sql`update nodes set facts = ${database.sql.json(facts)}`;
  }

  async function person(role: 'developer' | 'admin' = 'developer'): Promise<Person> {
    const user = await build.user(database.sql, { role, email_verified: true });
    const opened = await openSession(database.sql, { user_id: user.id, user_agent: null, now: new Date() });
    const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${opened.session}` };
    return { id: user.id, actor: { ...build.actorFor(user), role }, headers };
  }

  async function call(
    method: string,
    path: string,
    headers: Record<string, string>,
    json?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: an answer as it came
  ): Promise<{ status: number; body: any }> {
    const asked = { headers, ...(json !== undefined && { json }) };
    const answer = await api.call(method, `/_internal/billing/${path}`, asked);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  }

  /** Somebody with a small server that runs and is paid with a card that succeeds. */
  async function owner(): Promise<Person & { server_id: string; subscription: string }> {
    const one = await person();
    const { server_id, order_id } = await checkout(till, one.actor, orderInput(), null, new Date());
    await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
    port += 1;
    await database.sql`
      update servers set node_id = ${node_id}, port = ${port}, lifecycle = 'ready', seen = '{"installed": 1}'
      where id = ${server_id}`;
    const [row] = await database.sql<
      [{ id: string }]
    >`select id from subscriptions where server_id = ${server_id}`;
    return { ...one, server_id, subscription: row.id };
  }

  /** Keeps a card for somebody and gives its id. */
  async function keep({ actor }: Person, card: Card): Promise<string> {
    await addMethod(database.sql, till.payments, actor, card, new Date());
    const [row] = await database.sql<[{ id: string }]>`
      select id from payment_methods where user_id = ${actor.user_id} and last_four = ${card.number.slice(-4)}`;
    return row.id;
  }

  const charges = ({ id }: Person): Promise<Charge[]> => database.sql<Charge[]>`
    select c.id, c.reason, c.state, c.amount_minor, c.intent_id, m.last_four
    from charges c left join payment_methods m on m.id = c.method_id
    where c.user_id = ${id} order by c.created, c.id`;

  return { open, person, call, owner, keep, charges, till };
}
