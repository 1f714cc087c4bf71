import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { billingClient } from '../../testing/billing.ts';

/** Money that staff move through the API moves once, by the key of the request. */
const database = testDatabase();
const { open, person, call, owner, charges } = billingClient(database);
beforeAll(open);

const refunds = async (charge_id: string) =>
  (
    await database.sql<Array<{ amount: number }>>`
      select amount_minor::int as amount from refunds where charge_id = ${charge_id} order by created, id`
  ).map(({ amount }) => amount);
const key = (value: string) => ({ 'idempotency-key': value });

describe('a refund', () => {
  test('needs a key, and is one for each', async () => {
    const [payer, admin, other] = [await owner(), await person('admin'), await person('admin')];
    const [one] = await charges(payer);
    const path = `charge/${one!.id}/refund`;
    const body = { type: 'partial', amount: 100 };
    const refused = await call('POST', path, admin.headers, body);
    expect([refused.status, refused.body.details.code]).toEqual([400, 'idempotency_key_required']);
    expect(refused.body.description).toContain('Idempotency-Key');
    expect(await refunds(one!.id)).toEqual([]);

    const headers = { ...admin.headers, ...key('ticket 17') };
    for (let times = 0; times < 2; times++)
      expect((await call('POST', path, headers, body)).status).toBe(204);
    expect(await refunds(one!.id)).toEqual([100]);
    for (const another of [{ amount: 200 }, { unprovision: true }, { type: 'full' }]) {
      const mismatch = await call('POST', path, headers, { ...body, ...another });
      expect([mismatch.status, mismatch.body.details.code]).toEqual([400, 'operation_mismatch']);
    }
    const long = await call('POST', path, { ...admin.headers, ...key('x'.repeat(101)) }, body);
    expect([long.status, long.body.details.code]).toEqual([400, 'invalid_input']);
    // the same words of somebody else are another key
    expect((await call('POST', path, { ...other.headers, ...key('ticket 17') }, body)).status).toBe(204);
    expect(await refunds(one!.id)).toEqual([100, 100]);
  });

  test('takes a UUID in the header or the body as the same key', async () => {
    const [payer, admin] = [await owner(), await person('admin')];
    const [one] = await charges(payer);
    const op_id = randomUUID();
    const body = { type: 'partial', amount: 100 };
    const path = `charge/${one!.id}/refund`;
    expect((await call('POST', path, admin.headers, { ...body, op_id })).status).toBe(204);
    const upper = { ...admin.headers, ...key(op_id.toUpperCase()) };
    expect((await call('POST', path, upper, body)).status).toBe(204);
    expect(await refunds(one!.id)).toEqual([100]);
  });

  test('of nothing needs none: it only takes the service', async () => {
    const [payer, admin] = [await owner(), await person('admin')];
    const [one] = await charges(payer);
    for (let times = 0; times < 2; times++)
      expect((await call('POST', `charge/${one!.id}/refund`, admin.headers, { type: 'none' })).status).toBe(
        204,
      );
    const [{ state }] = await database.sql<[{ state: string }]>`
      select state from subscriptions where id = ${payer.subscription}`;
    expect(state).toBe('ended');
  });
});

test('days need a key, and other days another one', async () => {
  const [payer, admin] = [await owner(), await person('admin')];
  const body = { subscription_ids: [payer.subscription], days: 3 };
  const refused = await call('POST', 'credit', admin.headers, body);
  expect([refused.status, refused.body.details.code]).toEqual([400, 'idempotency_key_required']);
  const headers = { ...admin.headers, ...key('outage of May') };
  for (let times = 0; times < 2; times++)
    expect((await call('POST', 'credit', headers, body)).status).toBe(204);
  const mismatch = await call('POST', 'credit', headers, { ...body, days: 4 });
  expect([mismatch.status, mismatch.body.details.code]).toEqual([400, 'operation_mismatch']);
  const given =
    await database.sql`select days from billing_credits where subscription_id = ${payer.subscription}`;
  expect([...given]).toEqual([{ days: 3 }]);
});
