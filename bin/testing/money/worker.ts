import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { removeUser } from '#db/accounts/account/remove.ts';
import { cancel, changePlan, checkout, handleWebhook, resubscribe } from '#db/money/billing/checkout.ts';
import { beginMethod } from '#db/money/billing/customers.ts';
import { buyPlus, renewPlus } from '#db/money/billing/plus-orders/checkout.ts';
import { cancelPlus, switchPlus } from '#db/money/billing/plus-orders/write.ts';
import { stripePayments } from '#db/money/billing/processors/stripe/adapter.ts';
import { addIncome } from '#db/money/billing/revenue/income.ts';
import { refundByStaff } from '#db/money/billing/staff-refunds/write.ts';
import { paypalPayouts } from '#db/money/payouts/providers/paypal/adapter.ts';
import { requestPayout } from '#db/money/payouts/request.ts';
import { cancelPayout, checkPayout, duePayouts } from '#db/money/payouts/send.ts';
import { signTaxForm } from '#db/money/payouts/tax/local.ts';
import { taxFormProvider } from '#db/money/payouts/tax/select.ts';
import { hearOfPayout } from '#db/money/payouts/webhook.ts';
import { Refused } from '#db/platform/errors.ts';
import type { JobQueue } from '#db/platform/jobs/queue.ts';
import type { JobName, Jobs } from '#db/platform/jobs/queues.ts';
import { operator } from '#db/platform/people/rules.ts';
import { connect, type Db } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { createSealer } from '#db/platform/secrets/seal.ts';
import { paypalKeys } from '#db/testing/paypal/simulator.ts';
import { stripeKeys } from '#db/testing/stripe/simulator.ts';
import { jobs } from '../../../control-plane/jobs/all.ts';
import type { JobContext, JobDefinition } from '../../../control-plane/jobs/define.ts';
import type { Answer, Command, Message, Place } from './commands.ts';
import { setPrices } from './prices.ts';

/**
 * The part of the product that moves money, as a process that may be killed at any moment: it takes commands with the time
 * they happen at. Its jobs are stored with the transaction that made them, as the queue of the product does.
 */
const place = JSON.parse(process.argv[2]!) as Place;
const sql = connect({ address: place.address, database: place.database, max: 4 });
const settings = parseSettings({
  ...{ PAYOUTS: 'paypal', PAYPAL_API_URL: place.paypal, ...paypalKeys },
});
const sealer = createSealer(randomBytes(32));
let at = new Date(0);
const board: Pick<JobQueue, 'enqueue'> = {
  async enqueue<N extends JobName>(db: Db, name: N, data: Jobs[N]) {
    await db`insert into year_jobs (name, data) values (${name}, ${db.json(data as never)})`;
  },
};
const context = {
  ...{ sql, board, now: () => at, log: pino({ level: 'silent' }) },
  payments: stripePayments({ ...stripeKeys, STRIPE_API_URL: place.stripe }, { timeout: 400 }),
  settings,
  mailing: { settings, sealer },
} as unknown as JobContext;

/** PayPal as the job has it, but less patient. */
const payouts = {
  ...{ sql, log: context.log, mailing: { settings, sealer } },
  providers: [paypalPayouts(settings, { timeout: 400 })],
  taxForms: taxFormProvider(settings),
};
const run = (name: JobName, data: object) =>
  (jobs[name] as JobDefinition<JobName>).run(context, data as never);

/**
 * Works on jobs until there is none; one whose process is killed stays and is run again, and one that could not reach
 * Stripe stays until the next time.
 */
async function drain(): Promise<void> {
  for (let after = 0; ; ) {
    const [job] = await sql<Array<{ id: number; name: JobName; data: object }>>`
      select id, name, data from year_jobs where id > ${after} order by id limit 1`;
    if (!job) return;
    after = job.id;
    try {
      await run(job.name, job.data);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status >= 500) continue;
    }
    await sql`delete from year_jobs where id = ${job.id}`;
  }
}

const statement = {
  ...{ name: 'Ada Stein', country: 'DE', address: '1 Quarry Rd', city: 'Ulm', state: '', postal_code: '1' },
  ...{ tax_number: '', signature: 'Ada Stein', certified: true },
};

async function work(command: Command): Promise<unknown> {
  switch (command.do) {
    case 'card':
      return await beginMethod(sql, context.payments, command.actor, at);
    case 'order':
      return await checkout(context, command.actor, command.input, { confirmed: command.card }, at);
    case 'plus':
      return await buyPlus(context, command.actor, command.order, { confirmed: command.card }, at);
    case 'cancel_plus':
      return await sql.begin((tx) => cancelPlus(tx, command.actor, at));
    case 'renew_plus':
      return await renewPlus(context, command.actor, renewal(command.card), at);
    case 'switch_plus':
      return await sql.begin((tx) => switchPlus(tx, command.actor, command.interval, at));
    case 'change':
      return await changePlan(context, command.actor, command.wanted, null, at);
    case 'cancel':
      return await cancel(context, command.actor, command.server_id, at);
    case 'resubscribe':
      return await resubscribe(context, command.actor, command.server_id, renewal(command.card), at);
    case 'refund':
      return await sql.begin((tx) => refundByStaff(tx, context, command.actor, command.input, at));
    case 'webhook':
      return await handleWebhook(context, command.signature, command.body, at);
    case 'payout_webhook':
      return await hearOfPayout(payouts, { name: 'paypal', ...command }, at);
    case 'tax_form':
      return await sql.begin((tx) => signTaxForm(tx, sealer, command.actor, 'W-8BEN', statement, at));
    case 'withdraw':
      return await requestPayout(payouts, command.actor, command.input, at);
    case 'cancel_payout':
      return await cancelPayout(payouts, command.actor, command.id, at);
    case 'delete_person':
      return await sql.begin((tx) => removeUser(tx, command.actor, command.actor.user_id, at));
    case 'income':
      return await sql.begin((tx) => addIncome(tx, operator, command.input, 0, at));
    case 'jobs':
      return await timers();
  }
}

const renewal = (card: string | null) => ({
  interval: null,
  method: card === null ? null : { confirmed: card },
});

/** What the product does by the clock: billing, revenue, and payouts as the job `settle_payouts` settles them. */
async function timers(): Promise<void> {
  await run('run_billing', {});
  // where there is more, it enqueued itself
  await drain();
  await run('share_revenue', {});
  for (const id of await duePayouts(payouts, at, 200)) await checkPayout(payouts, id, at);
}

process.on('message', async ({ now, price_percent, command }: Message) => {
  at = new Date(now);
  setPrices(price_percent);
  let answer: Answer;
  try {
    answer = { ok: true, result: await work(command) };
    await drain();
  } catch (error) {
    if (error instanceof Refused) answer = { ok: false, code: error.code };
    else answer = { ok: false, code: `fault: ${(error as Error).stack}` };
  }
  process.send!(answer);
});
process.on('disconnect', () => process.exit());
process.send!({ ok: true, result: 'ready' } satisfies Answer);
