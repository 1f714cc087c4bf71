import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../hosting/servers/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, slowCard, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { settle } from './charges.ts';
import { cancel, checkout } from './checkout.ts';
import { deleteServerFor } from './delete-server.ts';
import { fulfil } from './fulfil.ts';
import { ordersUnderWay, orderWithoutServer, paidOrder } from './read.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
let actor: Actor;
beforeAll(async () => {
  await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
});
beforeEach(async () => {
  actor = build.actorFor(await build.user(database.sql));
});
const order = (given = {}, by = slowCard) => checkout(till, actor, orderInput(given), by, now);
const seen = (id: string, by = actor) => orderWithoutServer(database.sql, by, id);

describe('an order without a server', () => {
  it('waits for its payment, then for its server, and is gone once that exists or was deleted', async () => {
    const { sql } = database;
    const { server_id, order_id } = await order({ plan: 'custom', ram_gb: 12, loader: null });
    expect(await seen(server_id)).toEqual({
      ...{ server_id, name: 'Valley', state: 'paying', plan: 'custom', ram_mb: 12_288, loader: null },
      ...{ region: 'central-europe', term: 'monthly', currency: 'USD', game_version: '1.16.5' },
      period_end: expect.stringContaining('2026-02-28'),
    });
    await sql`update orders set state = 'paid' where id = ${order_id}`;
    await sql`update subscriptions set state = 'active' where order_id = ${order_id}`;
    expect(await seen(server_id)).toMatchObject({ state: 'paid' });
    expect(await ordersUnderWay(sql, actor)).toMatchObject([{ server_id, state: 'paid' }]);
    await createServer(sql, (await paidOrder(sql, order_id))!);
    expect([await seen(server_id), await ordersUnderWay(sql, actor)]).toEqual([null, []]);
    await sql.begin((tx) => deleteServerFor(tx, actor, server_id, now));
    expect(await sql`select 1 from servers where id = ${server_id}`).toHaveLength(0);
    expect(await seen(server_id)).toBeNull();
  });

  it('says that its payment failed later, or that it was cancelled', async () => {
    const { sql } = database;
    const failed = await order();
    const [charge] = await sql<Array<{ id: string; intent_id: string }>>`
      select c.id, c.intent_id from charges c join subscriptions u on u.id = c.subscription_id
      where u.order_id = ${failed.order_id}`;
    const outcome = { intent_id: charge!.intent_id, state: 'failed', failure: 'declined' } as const;
    await sql.begin((tx) => settle(tx, { id: charge!.id }, outcome, now));
    expect(await seen(failed.server_id)).toMatchObject({ state: 'unpaid' });

    const cancelled = await order({}, testCard('4242424242424242'));
    await cancel(till, actor, cancelled.server_id, now);
    expect(await seen(cancelled.server_id)).toMatchObject({ state: 'refunded' });
    expect(await ordersUnderWay(sql, actor)).toEqual([]);
  });

  it('says that its server could not be made', async () => {
    const { sql } = database;
    for (const plan of ['small', 'trial']) {
      const { server_id, order_id } = await order({ plan }, testCard('4242424242424242'));
      await sql`update orders set game_version = '0.1' where id = ${order_id}`;
      expect(await fulfil({ sql, board: till.board }, order_id, now)).toMatchObject({
        refused: 'server_version_unknown',
      });
      expect(await seen(server_id), plan).toMatchObject({ state: 'refused' });
    }
  });

  it('is hidden from strangers, and unknown ones are the same', async () => {
    const { server_id } = await order();
    const stranger = build.actorFor(await build.user(database.sql));
    expect(await seen(server_id, stranger)).toBeNull();
    expect(await seen('nothing1')).toBeNull();
    expect(await seen(server_id, { ...stranger, role: 'moderator' })).toBeNull();
  });
});
