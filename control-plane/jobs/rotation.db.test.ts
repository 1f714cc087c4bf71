import { expect, it } from 'vitest';
import { cancelRotation, type Rotation, requestRotation, rotationOf } from '#db/hosting/nodes/rotate.ts';
import { testDatabase } from '#db/testing/database.ts';
import { newNode, testControlPlane } from '../testing/plane.ts';
import { agent, connectAgent, type ScriptedAgent } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const day_ms = 24 * 3_600_000;
/** A node whose agent is here; what it is told to keep from now on, and whether it says so. */
async function joined(answers = true) {
  const { id, join_token } = await newNode(database.sql, 'rotation');
  const runner = await agent(plane.url, { join_token });
  const told: string[] = [];
  heeds(runner, told, answers);
  return { id, runner, told, old: runner.welcome.secret! };
}
const heeds = ({ socket }: ScriptedAgent, told: string[], answers = true) =>
  socket.on('secret.rotate', ({ secret }, taken) => {
    told.push(secret);
    if (answers) taken({ ok: true });
    else socket.disconnect();
  });
const ask = (id: string) => requestRotation(database.sql, id, new Date());
const ends = (id: string, state: Rotation) => expect.poll(() => rotationOf(database.sql, id)).toBe(state);
const untilOf = async (id: string) =>
  (
    await database.sql<{ ms: number }[]>`
      select extract(epoch from previous_secret_until)::float8 * 1000 as ms from nodes where id = ${id}`
  )[0]!.ms;

it('sends the connected agent a new secret; the old one is valid for a day more', async () => {
  const { id, told, old } = await joined();
  expect(await ask(id)).toBe(true);
  await ends(id, 'kept');
  expect(told).toEqual([expect.stringMatching(/^cna_/)]);
  const left = (await untilOf(id)) - Date.now();
  expect(left).toBeGreaterThan(day_ms - 60_000);
  expect(left).toBeLessThanOrEqual(day_ms);
  const kept = JSON.stringify(await database.sql`select * from nodes where id = ${id}`);
  for (const secret of [told[0]!, old]) expect(kept).not.toContain(secret);
  for (const secret of [old, told[0]!]) await connectAgent(plane.url, { node_id: id, secret });
  await database.sql`update nodes set previous_secret_until = now() where id = ${id}`;
  await expect(connectAgent(plane.url, { node_id: id, secret: old })).rejects.toThrow('agent_secret_invalid');
  await connectAgent(plane.url, { node_id: id, secret: told[0]! });
});

it('requested again, leaves the acknowledged secret valid', async () => {
  const { id, told, old } = await joined();
  for (const count of [1, 2]) {
    await ask(id);
    await expect.poll(() => told).toHaveLength(count);
    await ends(id, 'kept');
  }
  for (const secret of told) await connectAgent(plane.url, { node_id: id, secret });
  await expect(connectAgent(plane.url, { node_id: id, secret: old })).rejects.toThrow('agent_secret_invalid');
});

it('accepts both secrets of an agent that did not acknowledge', async () => {
  const { id, runner, told, old } = await joined(false);
  await ask(id);
  await ends(id, 'unanswered');
  expect(await untilOf(id)).toBe(Number.POSITIVE_INFINITY);
  for (const secret of [told[0]!, old]) await connectAgent(plane.url, { node_id: id, secret });
  // it had kept the one before: the next rotation begins from there
  const back = await agent(plane.url, { node_id: id, secret: old }, {}, runner);
  const again: string[] = [];
  heeds(back, again);
  await ask(id);
  await ends(id, 'kept');
  for (const secret of [old, again[0]!]) await connectAgent(plane.url, { node_id: id, secret });
  await expect(connectAgent(plane.url, { node_id: id, secret: told[0]! })).rejects.toThrow(
    'agent_secret_invalid',
  );
});

it('is refused for a node without an agent, and can be cancelled before it began', async () => {
  const { sql } = database;
  const { id } = await newNode(sql, 'rotation');
  expect([await ask(id), await cancelRotation(sql, id)]).toEqual([false, false]);
  const { join_token } = await newNode(sql, 'rotation');
  const { socket, welcome } = await connectAgent(plane.url, { join_token });
  // it was let in and has not said what it holds: nothing else is asked of it
  expect(await ask(welcome.node_id)).toBe(true);
  const later = await joined();
  await ask(later.id);
  await ends(later.id, 'kept');
  expect(await cancelRotation(sql, welcome.node_id)).toBe(true);
  expect(await rotationOf(sql, welcome.node_id)).toBeNull();
  socket.close();
});
