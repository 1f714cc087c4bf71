import { collect, type Till } from '#db/billing/buy.ts';
import { refund } from '#db/billing/charges.ts';
import { doDue, dueSubscriptions, unmatched, unopened, unsettledCharges } from '#db/billing/due.ts';
import { matchServer } from '#db/billing/match.ts';
import type { Job } from './run.ts';

/** So many of each kind in one run; the next run of the timer takes the rest. */
const most = 200;
/** Whoever pays is waiting for the answer that long; after that nobody is. */
const unsettled_ms = 10_000;
const lost_ms = 60_000;

/** Brings a server in line with its subscription. */
export const matchServers =
  ({ sql }: Till): Job<'match_server'> =>
  async (_record, { subscription_id }) => {
    const did = await sql.begin(async (tx) => await matchServer(tx, subscription_id));
    return { subscription_id, did };
  };

/** Gives back what was paid for nothing. */
export const refundCharge =
  (till: Till): Job<'refund_charge'> =>
  async (_record, { charge_id }) => {
    await refund(till.sql, till.payments, charge_id);
    return { charge_id };
  };

/** Renewals, ends of trials and periods, what was never settled and what got lost on the way. */
export const billDue =
  (till: Till): Job<'bill_due'> =>
  async ({ now, log }) => {
    const { sql, payments, board } = till;
    let done = 0;
    const each = async (ids: string[], work: (id: string) => Promise<unknown>) => {
      for (const id of ids) {
        // one that cannot be done must not hold up the others
        await work(id).catch((err) => log.error({ err, id }, 'Something due could not be billed'));
        done += 1;
      }
    };
    const due = await dueSubscriptions(sql, now(), most);
    await each(due, async (id) => {
      const { charge_id } = await sql.begin(async (tx) => {
        const next = await doDue(tx, id, payments.name, now());
        if (next.match) await board.send(tx, 'match_server', { subscription_id: id });
        return next;
      });
      if (charge_id) await collect(till, charge_id, now());
    });
    const before = (ms: number) => new Date(now().getTime() - ms);
    await each(await unsettledCharges(sql, before(unsettled_ms), most), (id) => collect(till, id, now()));
    await each(await unmatched(sql, most), (id) => sql.begin((tx) => matchServer(tx, id)));
    await each(await unopened(sql, before(lost_ms), most), (order_id) =>
      sql.begin((tx) => board.send(tx, 'open_server', { order_id })),
    );
    return { done };
  };
