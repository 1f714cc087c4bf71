import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { AppContext } from '#db/context.ts';
import { addNode } from '#db/hosting/nodes/write.ts';
import type { Versions } from '#db/hosting/planes/rules.ts';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { sandboxPayments } from '#db/money/billing/processors/sandbox.ts';
import { LastUsed } from '#db/platform/people/last-used.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { SecurityLog } from '#db/platform/security-log/security-log.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import { type BuiltUser, token, user } from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { type ControlPlane, createControlPlane } from '../control-plane.ts';
import { createHttpServer } from '../sockets/http-listen.ts';
import { type Browser, browser, closeClients } from './clients.ts';
import { agent, powerReport, type ScriptedAgent } from './scripted-agent.ts';

/** A real control plane on a port of its own, and users with game servers on it. */

export const siteUrl = 'http://cairn.test';

export interface TestControlPlane {
  plane: ControlPlane;
  url: string;
  close(): Promise<void>;
}

/** The key of the installation, the same for all planes of a test file. */
export const sealer = createSealer(randomBytes(32));

/** For tests that store nothing. */
const unusedStorage = {} as Storage;

/** A control plane on this database. Its clock is the machine's. */
export async function startControlPlane(
  sql: Pool,
  port = 0,
  link?: Versions,
  {
    storage = unusedStorage,
    env = {},
    idle_ms,
  }: { storage?: Storage; env?: Record<string, string>; idle_ms?: number } = {},
): Promise<TestControlPlane> {
  const settings = parseSettings({ SITE_URL: siteUrl, PAYMENTS: 'test', ...env });
  const app = {
    ...{ settings, sql, storage, lastUsed: new LastUsed(sql), securityLog: new SecurityLog(sql), sealer },
    ...{ log: pino({ level: process.env.TEST_LOG ?? 'silent' }), now: () => new Date() },
    close: async () => {},
  } as AppContext;
  const server = createHttpServer(
    async (req, res) => (await plane.transfers.handle(req, res)) || res.writeHead(404).end(),
  );
  const billing = { sql, payments: sandboxPayments, board: { enqueue: async () => {} }, mailing: app };
  const plane: ControlPlane = await createControlPlane(app, server, billing, {
    link,
    ...(idle_ms && { idle_ms }),
  });
  // clients that wait for this port would be refused before it joined, and not try again by themselves
  if (port > 0) await plane.join(`http://127.0.0.1:${port}`);
  await new Promise<void>((go) => server.listen(port, '127.0.0.1', go));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (port === 0) await plane.join(url);
  return {
    plane,
    url,
    async close() {
      await plane.close();
      server.closeAllConnections();
      await new Promise((go) => server.close(go));
    },
  };
}

/** Control planes for a test file, on its database; they end with every client that the file made. */
function testPlanes<P extends [TestControlPlane, ...TestControlPlane[]]>(
  database: { sql: Pool },
  planes: P,
): P {
  beforeAll(async () => {
    for (const plane of planes) Object.assign(plane, await startControlPlane(database.sql));
  });
  afterAll(async () => {
    closeClients();
    await Promise.all(planes.map((plane) => plane.close()));
  });
  return planes;
}

/** One control plane for a test file. */
export const testControlPlane = (database: { sql: Pool }): TestControlPlane =>
  testPlanes(database, [{} as TestControlPlane])[0];

/** Two control planes for a test file. */
export const testTwoPlanes = (database: { sql: Pool }): [here: TestControlPlane, there: TestControlPlane] =>
  testPlanes(database, [{} as TestControlPlane, {} as TestControlPlane]);

export interface RentedServer {
  node: { id: string };
  runner: ScriptedAgent;
  owner: BuiltUser;
  /** The owner's token. */
  key: string;
  id: string;
  screen: Browser;
}

/** A user with a server on its own node, whose agent is connected here: installed, and off. */
export async function rentServer(sql: Pool, url: string): Promise<RentedServer> {
  const region = randomUUID();
  const node = await newNode(sql, region);
  const runner = await agent(url, { join_token: node.join_token });
  const owner = await user(sql);
  const id = await serverOf(sql, runner, owner, region);
  const key = await token(sql, owner);
  return { node, runner, owner, key, id, screen: await browser(url, { token: key }) };
}

/** One more server in the region of an agent's node, installed and off. */
export async function serverOf(
  sql: Pool,
  runner: ScriptedAgent,
  owner: BuiltUser,
  region: string,
): Promise<string> {
  const id = await server(sql, owner, { region });
  await sql.begin((tx) => scheduleServer(tx, id, new Date()));
  await vi.waitFor(() => expect(runner.specs.get(id)?.generation).toBe(1), 20_000);
  await runner.report('server.installed', id, { generation: 1 });
  return id;
}

/** The agent reports that the server runs, with a console of this epoch. */
export async function running(
  { runner, id }: Pick<RentedServer, 'runner' | 'id'>,
  epoch = 'one',
): Promise<void> {
  runner.consoles.set(id, { epoch, lines: [] });
  await runner.report('server.power', id, powerReport('running', { epoch }));
}

/** A node without an agent yet. */
export async function newNode(sql: Pool, region: string): Promise<{ id: string; join_token: string }> {
  const name = `n-${randomUUID().slice(0, 20)}`;
  return await addNode(sql, { name, region, public_address: 'play.example.test' }, new Date());
}
