import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { createServer } from '#db/hosting/servers/write.ts';
import { type BillingContext, cancel, checkout } from '#db/money/billing/checkout.ts';
import { paymentProcessor } from '#db/money/billing/processors/select.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { Refused } from '#db/platform/errors.ts';
import { operator } from '#db/platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { jobs } from './all.ts';
import type { JobContext } from './define.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-11-21T12:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
/** A processor that notes what it gave back. */
const asked: string[] = [];
const up = {
  ...till.payments,
  refund: async ({ key, amount_minor }: { key: string; amount_minor: number }) =>
    void asked.push(`${key} ${amount_minor}`),
};
const away = {
  ...till.payments,
  refund: async () => {
    throw new Refused('payments_unreachable');
  },
};
const bill = async (payments: BillingContext['payments'], now: Date) => {
  const { sql, board, mailing } = till;
  const log = pino({ level: 'silent' });
  await jobs.run_billing.run(
    { sql, board, mailing, payments, log, now: () => now } as unknown as JobContext,
    {},
  );
};
beforeEach(async () => {
  asked.length = 0;
  await nodeWithRoom(database.sql, { seen: start });
});

/** A server that is paid; its charge. */
async function paid() {
  const actor = actorFor(await user(database.sql));
  const { server_id, order_id } = await checkout(till, actor, orderInput(), null, start);
  await createServer(database.sql, (await paidOrder(database.sql, order_id))!);
  const [charge] = await database.sql<Array<{ id: string }>>`
    select id from charges where user_id = ${actor.user_id}`;
  till.jobs.length = 0;
  return { actor, server_id, charge_id: charge!.id };
}
const give = (charge_id: string) =>
  database.sql.begin((tx) =>
    refundByStaff(
      tx,
      till,
      operator,
      {
        ...{ op_id: crypto.randomUUID(), charge_id, amount_minor: 200, seen_minor: null },
        ...{ reason: 'lag', takes_service: false },
      },
      start,
    ),
  );
const sent = async (charge_id: string) =>
  (await database.sql`select sent is not null as sent from refunds where charge_id = ${charge_id}`).map(
    (row) => row.sent,
  );

it('sends refunds whose jobs ran out, by staff and whole ones, once', async () => {
  const [one, two] = [await paid(), await paid()];
  const { refund_id } = await give(one.charge_id);
  await cancel(till, two.actor, two.server_id, start);
  till.jobs.length = 0; // the jobs ran out
  await bill(away, later(61));
  await bill(up, later(62));
  expect(asked).toEqual([]); // it is not asked again at once
  for (let turn = 0; turn < 2; turn++) await bill(up, later(122));
  expect(asked.sort()).toEqual([`${refund_id} 200`, `${two.charge_id} 1200`].sort());
  expect([await sent(one.charge_id), await sent(two.charge_id)]).toEqual([[true], [true]]);
});

it('leaves refunds of a processor that is not set up until it is', async () => {
  const { actor, server_id, charge_id } = await paid();
  await cancel(till, actor, server_id, start);
  const off = paymentProcessor({ PAYMENTS: 'off' });
  await bill(off, later(61));
  expect(await sent(charge_id)).toEqual([false]);
  await bill(up, later(122));
  expect([asked, await sent(charge_id)]).toEqual([[`${charge_id} 1200`], [true]]);
});
