import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { rentServer, testControlPlane } from '#control/testing/plane.ts';
import { newId } from '#db/platform/id.ts';
import { testDatabase } from '#db/testing/database.ts';
import { serverCommand } from '../../testing/server-command.ts';

const database = testDatabase();
const plane = testControlPlane(database);
const cairn = serverCommand(plane);

/** A subscription for a server that was made without an order: a small one, paid for this month. */
async function subscribed(server_id: string): Promise<void> {
  const { sql } = database;
  const month = { period_start: new Date(), period_end: new Date(Date.now() + 20 * 86_400_000) };
  const paid = { user_id: '', term: 'monthly', currency: 'USD', price_minor: 1200, created: new Date() };
  const [server] = await sql`
    select owner_id, name, kind, game_version, region, ram_mb, cpu_millis, swap_mb, disk_mb from servers where id = ${server_id}`;
  const { owner_id: user_id, ...size } = server!;
  const order = {
    ...paid,
    ...size,
    user_id,
    id: newId(),
    op_id: randomUUID(),
    server_id,
    state: 'paid',
    plan: 'small',
  };
  await sql`insert into orders ${sql({ ...order, terms_accepted: new Date() })}`;
  const period = { ...month, anchor: month.period_start, plan: 'small', ram_mb: 4096, state: 'active' };
  await sql`insert into subscriptions ${sql({ ...paid, ...period, user_id, id: newId(), order_id: order.id, server_id })}`;
}

it('works out a change of plan, makes it and takes it back', async () => {
  const renter = await rentServer(database.sql, plane.url);
  await subscribed(renter.id);
  const wanted = ['--plan', 'custom', '--ram', '2', '--json'];
  const outlook = await cairn(renter, 'plan', 'preview', renter.id, ...wanted);
  expect(JSON.parse(outlook.out)).toMatchObject({ kind: 'later', ram_gb: 2, due_minor: 0, price_minor: 600 });
  expect((await cairn(renter, 'plan', 'set', renter.id, ...wanted)).out).toContain('paid');
  expect((await cairn(renter, 'plan', 'keep', renter.id)).code).toBe(0);
  const again = await cairn(renter, 'plan', 'keep', renter.id);
  expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('No plan change') });
  expect(await cairn(renter, 'plan', 'set', renter.id, '--plan', 'huge')).toMatchObject({ code: 1 });
});
