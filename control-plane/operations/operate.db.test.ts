import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { runOperation } from '../operations/operate.ts';
import { authenticate } from '../sockets/authenticate.ts';
import { type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const open = async () => {
  const renter = await rentServer(database.sql, plane.url);
  await running(renter);
  return renter;
};
const kill = async ({ key, id }: RentedServer, message: object = {}) => {
  const actor = await authenticate(plane.plane.context, key);
  const sent = { server_id: id, op_id: randomUUID(), ...message };
  return await runOperation(plane.plane.context, actor, 'kill', sent);
};

it('answers the result that the agent reports, and the same one for a repeated id', async () => {
  const renter = await open();
  renter.runner.results.set('kill', { was_running: true, more: 'than its shape' });
  const op_id = randomUUID();
  const ended = once(plane.plane.context.operationEnded, op_id);
  expect(await kill(renter, { op_id })).toEqual({ result: { was_running: true } });
  await ended;
  expect(await kill(renter, { op_id })).toEqual({ result: { was_running: true } });
  expect(renter.runner.operations.map((one) => one.op_id)).toEqual([op_id]);
});

it('is refused when the operation fails, or when its result does not fit', async () => {
  const renter = await open();
  renter.runner.results.set('kill', { was_running: 'perhaps' });
  await expect(kill(renter)).rejects.toMatchObject({ code: 'operation_failed' });
  renter.runner.results.clear();
  renter.runner.answerOperation = () => ({ status: 'unknown_kind' });
  await expect(kill(renter)).rejects.toMatchObject({ code: 'agent_outdated' });
});

it('is refused for a server of somebody else, or one that is suspended, and leaves nothing behind', async () => {
  const [renter, other] = [await open(), await open()];
  const { sql } = database;
  await expect(kill(other, { server_id: renter.id })).rejects.toMatchObject({ code: 'server_not_found' });
  await sql`update servers set lifecycle = 'suspended', lifecycle_data = '{"reason":"other"}' where id = ${renter.id}`;
  await expect(kill(renter)).rejects.toMatchObject({ code: 'server_suspended' });
  const [row] = await sql`select count(*)::int as n from server_operations where server_id = ${renter.id}`;
  expect(row?.n).toBe(0);
});
