import { beforeAll, expect, it } from 'vitest';
import { retentionOf } from '../../hosting/servers/backups/read.ts';
import { dueServers, setRetention } from '../../hosting/servers/backups/schedule.ts';
import { backupSummary } from '../../hosting/servers/backups/summary.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { checkout, resubscribe } from './checkout.ts';
import { fulfil } from './fulfil.ts';
import { reconcileServer } from './reconcile.ts';
import { addDays } from './rules.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
const good = testCard('4242424242424242');
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});

async function ordered(
  plan: 'small' | 'trial',
): Promise<{ actor: Actor; server_id: string; again(): Promise<unknown> }> {
  const actor = build.actorFor(await build.user(database.sql));
  const card = plan === 'trial' ? null : good;
  const { server_id, order_id } = await checkout(till, actor, orderInput({ plan }), card, now);
  const again = () => fulfil({ sql: database.sql, board: till.board }, order_id, now);
  await again();
  return { actor, server_id, again };
}
const every = async (server_id: string) => (await retentionOf(database.sql, server_id)).every_hours;

it('makes a backup of a paid server each day, from its first day', async () => {
  const { server_id } = await ordered('small');
  expect(await every(server_id)).toBe(24);
  expect(await dueServers(database.sql, addDays(now, 0.9), 1_000)).not.toContain(server_id);
  expect(await dueServers(database.sql, addDays(now, 1.1), 1_000)).toContain(server_id);
  const { last, next } = await backupSummary(database.sql, server_id);
  expect(last).toBeNull();
  expect(Date.parse(next!)).toBeGreaterThanOrEqual(addDays(now, 1).getTime());
});

it('leaves them off where the owner turned them off', async () => {
  const { actor, server_id, again } = await ordered('small');
  const retention = { ...(await retentionOf(database.sql, server_id)), every_hours: null };
  await database.sql.begin((tx) => setRetention(tx, actor, { server_id, retention }, now));
  await again();
  const [one] = await database.sql`select id from subscriptions where server_id = ${server_id}`;
  await database.sql.begin((tx) => reconcileServer(tx, one!.id as string, now));
  expect(await every(server_id)).toBeNull();
  expect(await backupSummary(database.sql, server_id)).toEqual({ last: null, next: null });
});

it('makes none of a trial, until it is paid for', async () => {
  const { actor, server_id } = await ordered('trial');
  expect(await every(server_id)).toBeNull();
  const [one] = await database.sql`
    update subscriptions set state = 'grace', grace_reason = 'trial_ended', grace_until = ${addDays(now, 7)}
    where server_id = ${server_id} returning id`;
  await resubscribe(till, actor, server_id, { interval: 'monthly', method: good }, now);
  await database.sql.begin((tx) => reconcileServer(tx, one!.id as string, now));
  expect(await every(server_id)).toBe(24);
});
