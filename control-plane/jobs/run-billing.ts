import { collectCharge } from '#db/billing/checkout.ts';
import { reconcileServer } from '#db/billing/reconcile.ts';
import {
  dueSubscriptions,
  markTried,
  outOfSync,
  paidWithoutServer,
  processDue,
  unsettledCharges,
} from '#db/billing/renewals.ts';
import { defineJob } from './define.ts';

/** So many of each kind in one run; the next run takes the rest. */
const max_each = 200;
/** The buyer's own request waits this long for a charge to settle; later nothing does. */
const unsettled_ms = 10_000;
/** A paid order whose job did not run by then lost it. */
const lost_ms = 60_000;

/** Renews, ends trials and periods, and picks up what was never settled or was lost on the way. */
export const runBilling = defineJob({
  name: 'run_billing',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '* * * * *', unique_s: 50 },
  async run(context) {
    const { sql, payments, board, now, log } = context;
    let done = 0;
    const each = async (ids: string[], work: (id: string) => Promise<unknown>) => {
      for (const id of ids) {
        // one that fails must not hold up the others
        await work(id).catch((err) => log.error({ err, id }, 'Billing failed for one id'));
        done += 1;
      }
    };
    const due = await dueSubscriptions(sql, now(), max_each);
    await markTried(sql, due, now());
    await each(due, async (id) => {
      const { charge_id } = await sql.begin(async (tx) => {
        const next = await processDue(tx, id, payments.name, now());
        if (next.match) await board.enqueue(tx, 'reconcile_server', { subscription_id: id });
        return next;
      });
      if (charge_id) await collectCharge(context, charge_id, now());
    });
    const before = (ms: number) => new Date(now().getTime() - ms);
    await each(await unsettledCharges(sql, before(unsettled_ms), max_each), (id) =>
      collectCharge(context, id, now()),
    );
    const lagging = await outOfSync(sql, max_each);
    await markTried(sql, lagging, now());
    await each(lagging, (id) => sql.begin((tx) => reconcileServer(tx, id, now())));
    await each(await paidWithoutServer(sql, before(lost_ms), max_each), (order_id) =>
      sql.begin((tx) => board.enqueue(tx, 'create_server', { order_id })),
    );
    return { done };
  },
});
