import { refund, unsentRefunds } from '#db/money/billing/charges.ts';
import { collectCharge } from '#db/money/billing/checkout.ts';
import { forgottenCustomers, markForgotten } from '#db/money/billing/customers.ts';
import { collectFee, withoutFee } from '#db/money/billing/fees.ts';
import { reconcileServer } from '#db/money/billing/reconcile.ts';
import {
  dueSubscriptions,
  markTried,
  outOfSync,
  paidWithoutServer,
  processDue,
  unsettledCharges,
} from '#db/money/billing/renewals.ts';
import { defineJob, type JobContext } from './define.ts';
import { eachAtOnce } from './each-at-once.ts';

/** So many of each kind in one run; the next run takes the rest. */
const max_each = 1_000;
/** Nothing new is begun after so long: a run ends within seconds, and another one goes on. */
const budget_ms = 3_000;
/** Of these, for what needs no processor: it goes first, so that a processor that hangs does not hold it up. */
const own_budget_ms = 1_000;
/** So many charges are at the processor at once, and after so many without an answer it is left alone until the next run. */
const at_once = 4;
const unanswered_limit = 4;
/** The buyer's own request waits this long for a charge to settle; later nothing does. */
const unsettled_ms = 10_000;
/** A paid order whose job did not run by then lost it. */
const lost_ms = 60_000;

/** Renews, ends trials and periods, and picks up what was never settled, never sent or was lost on the way. */
export const runBilling = defineJob({
  name: 'run_billing',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '* * * * *', unique_s: 50 },
  async run(context) {
    const { sql, payments, board, now, log } = context;
    const began = performance.now();
    let budget = own_budget_ms;
    const has_time = () => performance.now() - began < budget;
    let done = 0;
    let more = false;
    /** Lists are worked through alike; one that fails must not hold up the others. */
    const each = async (ids: string[], work: (id: string) => Promise<boolean>, limit = ids.length + 1) => {
      let answers = 0;
      const options = {
        ...{ at_once, unanswered_limit: limit, has_time },
        onError: (err: unknown, id: string) => log.error({ err, id }, 'Billing failed for one id'),
      };
      const begun = await eachAtOnce(
        ids,
        async (id) => {
          const answered = await work(id);
          if (answered) answers += 1;
          return answered;
        },
        options,
      );
      done += begun;
      // a processor that says nothing is asked again in a minute and not at once
      more ||= answers > 0 && (begun === max_each || (begun < ids.length && !has_time()));
    };
    const before = (ms: number) => new Date(now().getTime() - ms);
    const lagging = await outOfSync(sql, max_each);
    await each(lagging, async (id) => {
      await markTried(sql, [id], now());
      await sql.begin((tx) => reconcileServer(tx, id, now()));
      return true;
    });
    await each(await paidWithoutServer(sql, before(lost_ms), max_each), async (order_id) => {
      await sql.begin((tx) => board.enqueue(tx, 'create_server', { order_id }));
      return true;
    });
    budget = budget_ms;
    await each(await dueSubscriptions(sql, now(), max_each), (id) => renew(context, id), unanswered_limit);
    const unsettled = await unsettledCharges(sql, payments.name, before(unsettled_ms), max_each);
    await each(unsettled, (id) => collect(context, id), unanswered_limit);
    const unsent = await unsentRefunds(sql, payments.name, now(), max_each);
    const resend = async (refund_id: string) => {
      await refund(sql, payments, { refund_id }, now());
      return true;
    };
    await each(unsent, resend, unanswered_limit);
    const unknown = await withoutFee(sql, payments, now(), max_each);
    await each(unknown, (intent_id) => collectFee(context, intent_id, now()), unanswered_limit);
    const forgotten = await forgottenCustomers(sql, payments, max_each);
    const forget = async (reference: string) => {
      await payments.forgetCustomer?.(reference);
      await markForgotten(sql, payments, reference);
      return true;
    };
    await each(forgotten, forget, unanswered_limit);
    if (more) await board.enqueue(sql, 'run_billing', {});
    return done === 0 ? undefined : { done, more };
  },
});

/** Does what is due for one subscription. Marked before it is tried: the order holds for those that fail too. */
async function renew(context: JobContext, id: string): Promise<boolean> {
  const { sql, payments, board, now } = context;
  const { charge_id } = await sql.begin(async (tx) => {
    await markTried(tx, [id], now());
    const next = await processDue(tx, id, payments.name, now());
    if (next.match) await board.enqueue(tx, 'reconcile_server', { subscription_id: id });
    return next;
  });
  return charge_id === null || (await collect(context, charge_id));
}

const collect = async (context: JobContext, charge_id: string): Promise<boolean> =>
  !(await collectCharge(context, charge_id, context.now()))?.unanswered;
