import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { cancel, changePlan, checkout, handleWebhook, resubscribe } from '#db/billing/checkout.ts';
import { beginMethod } from '#db/billing/customers.ts';
import { buyPlus } from '#db/billing/plus/checkout.ts';
import { cancelPlus } from '#db/billing/plus/write.ts';
import { stripePayments } from '#db/billing/processors/stripe/adapter.ts';
import { addIncome } from '#db/billing/revenue/income.ts';
import { Refused } from '#db/errors.ts';
import type { JobQueue } from '#db/jobs/queue.ts';
import type { JobName, Jobs } from '#db/jobs/queues.ts';
import { paypalPayouts } from '#db/payouts/providers/paypal/adapter.ts';
import { requestPayout } from '#db/payouts/request.ts';
import { cancelPayout } from '#db/payouts/send.ts';
import { operator } from '#db/people/rules.ts';
import { parseSettings } from '#db/runtime/env.ts';
import { createSealer } from '#db/secrets/seal.ts';
import { connect, type Db } from '#db/sql.ts';
import { paypalKeys } from '#db/testing/paypal/simulator.ts';
import { stripeKeys } from '#db/testing/stripe/simulator.ts';
import { jobs } from '../../../control-plane/jobs/all.ts';
import type { JobContext, JobDefinition } from '../../../control-plane/jobs/define.ts';
import type { Answer, Command, Place } from './commands.ts';

/**
 * The part of the product that moves money, as a process that may be killed at any moment: it takes commands with the time
 * they happen at. Its jobs are stored with the transaction that made them, as the queue of the product does.
 */
const place = JSON.parse(process.argv[2]!) as Place;
const sql = connect({ address: place.address, database: place.database, max: 4 });
const settings = parseSettings({
  ...{ PAYOUTS: 'paypal', PAYPAL_API_URL: place.paypal, ...paypalKeys },
});
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
  mailing: { settings, sealer: createSealer(randomBytes(32)) },
} as unknown as JobContext;

/** PayPal as the job has it, but less patient. */
const payoutContext = () => ({
  sql,
  providers: [paypalPayouts(settings, { timeout: 400 })],
  log: context.log,
});
const run = (name: JobName, data: object) =>
  (jobs[name] as JobDefinition<JobName>).run(context, data as never);

/** Works on jobs until there is none; one whose process is killed stays and is run again. */
async function drain(): Promise<void> {
  for (;;) {
    const [job] = await sql<Array<{ id: number; name: JobName; data: object }>>`
      select id, name, data from year_jobs order by id limit 1`;
    if (!job) return;
    await run(job.name, job.data).catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
    await sql`delete from year_jobs where id = ${job.id}`;
  }
}

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
    case 'change':
      return await changePlan(context, command.actor, command.wanted, null, at);
    case 'cancel':
      return await cancel(context, command.actor, command.server_id, at);
    case 'resubscribe': {
      const how = { interval: null, method: command.card ? { confirmed: command.card } : null };
      return await resubscribe(context, command.actor, command.server_id, how, at);
    }
    case 'webhook':
      return await handleWebhook(context, command.signature, command.body, at);
    case 'withdraw':
      return await requestPayout(payoutContext(), command.actor, command.input, at);
    case 'cancel_payout':
      return await cancelPayout(payoutContext(), command.actor, command.id, at);
    case 'income':
      return await sql.begin((tx) => addIncome(tx, operator, command.input, 0, at));
    case 'jobs': {
      for (let turn = 0; turn < 5; turn++) {
        const done = await run('run_billing', {});
        await drain();
        // nothing was due
        if (!done) break;
      }
      await run('share_revenue', {});
      await run('settle_payouts', {});
      return null;
    }
  }
}

process.on('message', async ({ now, command }: { now: string; command: Command }) => {
  at = new Date(now);
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
