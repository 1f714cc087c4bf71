import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { scheduleServer } from '#db/servers/schedule.ts';
import { user } from '#db/testing/builders/build.ts';
import { facts, server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { newNode, testControlPlane } from './testing/plane.ts';
import { agent } from './testing/scripted-agent.ts';

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
