import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { addNode } from '../db/hosting/nodes/write.ts';
import { defaultVersion } from '../db/hosting/server-kinds/rules.ts';
import { createServer } from '../db/hosting/servers/write.ts';
import { settle } from '../db/money/billing/charges.ts';
import { methodOf } from '../db/money/billing/customers.ts';
import { sandboxPayments } from '../db/money/billing/processors/sandbox.ts';
import { paidOrder } from '../db/money/billing/read.ts';
import { placeOrder } from '../db/money/billing/write.ts';
import { orderInput, testCard } from '../db/testing/billing.ts';
import { actorFor } from '../db/testing/builders/build.ts';
import { type Account, newAccount, signInAs } from './accounts.ts';
import { type AnsweredPanel, type Answers, answerRequests } from './answered-requests.ts';
import { cairn } from './cairn.ts';
import { withDatabase } from './database.ts';
import type { ScriptedNode } from './scripted-node.ts';

/** A server on a node of its own, whose agent a test scripts, and the new account that rented it. */
export interface RentedServer<N extends ScriptedNode> {
  id: string;
  /** Where its panel is. */
  address: string;
  renter: Account;
  node: N;
  node_name: string;
  /** Opens a page as its renter; the panel unless told otherwise. */
  open(page: Page, path?: string): Promise<void>;
  /** The same with requests that the test answers in place of the control plane. */
  openAnswered(page: Page, answers: Answers, path?: string): Promise<AnsweredPanel>;
  /** Its renter starts it, and its node reports that it runs. */
  start(): Promise<void>;
  /** Runs `cairn server` with these arguments as its renter. */
  command(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

interface Wanted {
  name?: string;
  game_version?: string;
  loader?: string | null;
  /** Memory of the node; as much as the server has unless told otherwise. */
  node_ram_mb?: number;
  /** What players type, without the port. */
  public_address?: string;
}

const ram_mb = 4_096;
const place = { region: 'southeast-asia', bind_address: '127.0.0.1' };
/** Ports that no other node has, as far as it matters: staff find servers by theirs. */
const portsOf = () => {
  const port_from = 20_000 + Math.floor(Math.random() * 40_000);
  return { port_from, port_to: port_from + 20 };
};

/**
 * Rents a server on a new node, which `join` connects with its token. The server is put there by hand: no order of another test
 * comes to this node, and none of this test to another one.
 */
export async function rentedServer<N extends ScriptedNode>(
  join: (join_token: string) => Promise<N>,
  { public_address = 'play.example.org', ...wanted }: Wanted = {},
): Promise<RentedServer<N>> {
  const name = `node-${randomUUID().slice(0, 8)}`;
  const renter = await newAccount('renter');
  const ports = portsOf();
  const { id: node_id, join_token } = await withDatabase((sql) =>
    // without room, until the server fills it
    addNode(sql, { name, public_address, ...place, ...ports, ram_mb: 1 }, new Date()),
  );
  const node = await join(join_token);
  const id = await serverOn({ node_id, port: ports.port_from }, renter, wanted);
  const address = `/servers/manage/${id}`;
  const open = async (page: Page, path = address) => {
    await signInAs(page, renter.username);
    await page.goto(path);
  };
  const command = (...args: string[]) => cairn('server', '--token', renter.token, ...args);
  return {
    ...{ id, address, renter, node, node_name: name, open, command },
    async start() {
      await command('power', id, 'start');
      await expect.poll(() => node.specs.get(id)?.power).toBe('on');
      await node.power(id, 'starting');
      await node.power(id, 'running', { duration_s: 2 });
    },
    async openAnswered(page, answers, path) {
      const panel = await answerRequests(page, answers);
      await open(page, path);
      return panel;
    },
    async close() {
      node.close();
      await withDatabase((sql) => sql`update nodes set draining = true where id = ${node_id}`);
    },
  };
}

/** A small server on this node, paid, installed and off. */
async function serverOn(
  { node_id, port }: { node_id: string; port: number },
  renter: Account,
  { node_ram_mb = ram_mb, ...wanted }: Wanted,
): Promise<string> {
  const now = new Date();
  const actor = actorFor(renter);
  const payments = sandboxPayments;
  const order = orderInput({
    ...{ name: 'Valley', game_version: defaultVersion('local'), ...wanted },
    ...{ region: place.region, starts: false },
  });
  const id = await withDatabase(async (sql) => {
    const method = await methodOf(sql, payments, actor, testCard('4242424242424242'), now);
    return await sql.begin(async (tx) => {
      await tx`update nodes set ram_mb = ${node_ram_mb} where id = ${node_id}`;
      const { order_id, charge_id } = await placeOrder(tx, actor, order, { payments, method }, now);
      const paid = { intent_id: `test_${order_id}`, state: 'succeeded' as const, failure: null };
      await settle(tx, { id: charge_id! }, paid, now);
      const server = (await paidOrder(tx, order_id))!;
      await createServer(tx, server);
      await tx`update servers set node_id = ${node_id}, port = ${port}, lifecycle = 'provisioning' where id = ${server.id}`;
      return server.id;
    });
  });
  const lifecycle = () =>
    withDatabase(async (sql) => (await sql`select lifecycle from servers where id = ${id}`)[0]?.lifecycle);
  await expect.poll(lifecycle).toBe('ready');
  return id;
}
