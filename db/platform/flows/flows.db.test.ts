import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { deleteExpiredFlows, endFlowsOf, failFlow, openFlow, readFlow, takeFlow } from './write.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00.123Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test('a flow is read while it is open, and taken once, however many ask at the same time', async () => {
  const { sql } = database;
  const { id: user_id } = await build.user(sql);
  const secret = await openFlow(sql, 'verify_email', { user_id, data: { email: 'a@example.test' }, now });
  expect(await readFlow(sql, 'verify_email', secret, later(5))).toEqual({
    user_id,
    data: { email: 'a@example.test' },
    created: now.toISOString(),
  });
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeFlow(sql, 'verify_email', secret, later(5))));
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await readFlow(sql, 'verify_email', secret, later(5))).toBeNull();
});

test('a flow of another kind, an expired and an unknown one are none', async () => {
  const { sql } = database;
  const secret = await openFlow(sql, 'second_step', { now });
  expect(await takeFlow(sql, 'reset_password', secret, now)).toBeNull();
  expect(await readFlow(sql, 'second_step', secret, later(30))).toBeNull();
  expect(await readFlow(sql, 'second_step', 'x', now)).toBeNull();
  expect(await readFlow(sql, 'second_step', secret, later(29))).not.toBeNull();
  expect(await takeFlow(sql, 'second_step', secret, later(31))).toBeNull();
});

test('the table holds no secret', async () => {
  const { sql } = database;
  const secret = await openFlow(sql, 'oauth_code', { now });
  const rows = await sql`select * from flows`;
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('a flow ends after as many wrong answers as its kind takes', async () => {
  const { sql } = database;
  const secret = await openFlow(sql, 'second_step', { now });
  for (let i = 0; i < 9; i++) await failFlow(sql, 'second_step', secret);
  expect(await readFlow(sql, 'second_step', secret, now)).not.toBeNull();
  await failFlow(sql, 'second_step', secret);
  expect(await readFlow(sql, 'second_step', secret, now)).toBeNull();
});

test('the flows of a user end by kind, expired ones are deleted', async () => {
  const { sql } = database;
  const { id: user_id } = await build.user(sql);
  const reset = await openFlow(sql, 'reset_password', { user_id, now });
  const verify = await openFlow(sql, 'verify_email', { user_id, now });
  await endFlowsOf(sql, user_id, ['reset_password']);
  expect(await readFlow(sql, 'reset_password', reset, now)).toBeNull();
  expect(await readFlow(sql, 'verify_email', verify, now)).not.toBeNull();
  expect(await deleteExpiredFlows(sql, later(24 * 60))).toBeGreaterThan(0);
  expect(await takeFlow(sql, 'verify_email', verify, now)).toBeNull();
});
