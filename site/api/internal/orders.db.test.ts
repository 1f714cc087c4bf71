import { beforeAll, expect, test } from 'vitest';
import { createServer } from '#db/hosting/servers/write.ts';
import { checkout } from '#db/money/billing/checkout.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import { openSession } from '#db/platform/people/session.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const till = testBilling(database);
beforeAll(async () => {
  await nodeWithRoom(database.sql);
});

async function buyer() {
  const user = await build.user(database.sql);
  const session = await openSession(database.sql, { user_id: user.id, user_agent: null, now: new Date() });
  return { actor: build.actorFor(user), headers: { cookie: `auth-token=${session.session}` } };
}

test('an order is answered to its buyer until its server is there, and to nobody else', async () => {
  const { actor, headers } = await buyer();
  const { server_id, order_id } = await checkout(till, actor, orderInput(), null, new Date());
  const ask = async (as: Record<string, string>, id = server_id) => {
    const answer = await api.call('GET', `/_internal/orders/${id}`, { headers: as });
    return { status: answer.status, cache: answer.headers.get('cache-control'), body: await answer.json() };
  };
  expect(await ask(headers)).toMatchObject({
    ...{ status: 200, cache: 'private, no-store' },
    body: { order: { server_id, state: 'paid', name: 'Valley' }, server: null },
  });
  const stranger = (await buyer()).headers;
  expect([(await ask(stranger)).status, (await ask(headers, 'nothing1')).status]).toEqual([404, 404]);
  expect((await ask({})).status).toBe(401);

  await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
  expect(await ask(headers)).toMatchObject({
    status: 200,
    body: { order: null, server: { id: server_id, setup: 'scheduling', power_wanted: 'on' } },
  });
  expect((await ask(stranger)).status).toBe(404);
});
