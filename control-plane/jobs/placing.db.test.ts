import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { user } from '#db/testing/builders/build.ts';
import { facts, server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { newNode, startControlPlane, testControlPlane } from '../testing/plane.ts';
import { agent, powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

/** Nothing here runs by the clock: whoever is placed was placed because an agent said something. */
const waiting = async (region: string) => {
  const id = await server(database.sql, await user(database.sql), { region });
  expect(await database.sql.begin((tx) => scheduleServer(tx, id, new Date()))).toEqual({ placed: false });
  return id;
};

it('a waiting order is scheduled with the first heartbeat of a new node', async () => {
  const region = randomUUID();
  const ids = [await waiting(region), await waiting(region)];
  const { join_token } = await newNode(database.sql, region);
  const runner = await agent(plane.url, { join_token });
  await expect.poll(() => ids.every((id) => runner.specs.has(id))).toBe(true);
});

it('a waiting order is scheduled as soon as Docker answers again on a node', async () => {
  const region = randomUUID();
  const { join_token } = await newNode(database.sql, region);
  const runner = await agent(plane.url, { join_token });
  await runner.request('heartbeat', { docker: 'down', facts, ports_used: [] });
  const id = await waiting(region);
  await runner.sendHeartbeat();
  await expect.poll(() => runner.specs.has(id)).toBe(true);
});

it('a server that starts by itself does so when the control plane restarts during its installation', async () => {
  const { sql } = database;
  const region = randomUUID();
  const node = await newNode(sql, region);
  const first = await startControlPlane(sql);
  const before = await agent(first.url, { join_token: node.join_token });
  const id = await server(sql, await user(sql), { region, starts: true });
  await sql.begin((tx) => scheduleServer(tx, id, new Date()));
  await expect.poll(() => before.specs.get(id)).toMatchObject({ power: 'on', generation: 1 });
  before.close();
  await first.close();

  const second = await startControlPlane(sql);
  const credentials = { node_id: node.id, secret: before.welcome.secret };
  const after = await agent(second.url, credentials, {}, before);
  expect(after.specs.get(id)).toMatchObject({ power: 'on', generation: 1 });
  await after.report('server.installed', id, { generation: 1 });
  await after.report('server.power', id, powerReport('running', { epoch: 'one' }));
  const [row] = await sql`select lifecycle, power, power_wanted from servers where id = ${id}`;
  expect(row).toEqual({ lifecycle: 'ready', power: 'running', power_wanted: 'on' });
  after.close();
  await second.close();
});
