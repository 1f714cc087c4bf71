import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { serversById } from '#db/hosting/servers/read.ts';
import { suspendServer } from '#db/hosting/servers/write.ts';
import { mailPurpose } from '#db/messages/mail/queue.ts';
import { type BillingContext, checkout } from '#db/money/billing/checkout.ts';
import { balances } from '#db/money/billing/ledger.ts';
import { resumeByStaff } from '#db/money/billing/staff.ts';
import type { JobName } from '#db/platform/jobs/queues.ts';
import { nodeWithRoom, orderInput, testBilling } from '#db/testing/billing.ts';
import { actorFor, user } from '#db/testing/builders/build.ts';
import { node } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { jobs } from './all.ts';
import type { JobContext, JobDefinition } from './define.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-11-21T12:00:00Z');
const days = (count: number) => new Date(start.getTime() + count * 86_400_000 + 1_000);
const at = (now: Date, billing: BillingContext = till) =>
  ({
    ...{ sql: database.sql, board: billing.board, payments: billing.payments, mailing: billing.mailing },
    ...{ log: pino({ level: 'silent' }), now: () => now },
  }) as unknown as JobContext;

/** Runs what was put up, as the board would: each job twice, since it may. */
async function work(now: Date): Promise<void> {
  for (const { name, data } of till.jobs.splice(0))
    for (let turn = 0; turn < 2; turn++) await run(name, data, now);
}
async function run(name: JobName, data: object, now: Date): Promise<void> {
  if (!['create_server', 'reconcile_server', 'refund_charge'].includes(name))
    throw new Error(`No order enqueues ${name}.`);
  await (jobs[name] as JobDefinition<JobName>).run(at(now), data as never);
}
const view = async (id: string, now = start) => (await serversById(database.sql, [id], now))[0]?.view;
const state = async (id: string) =>
  (await database.sql`select state from subscriptions where server_id = ${id}`)[0]?.state;

describe('an order that is paid', () => {
  it.each([
    [true, 'on'],
    [false, 'off'],
  ])(
    'becomes a server on a node, with an address, once; if it starts by itself (%s) it is %s',
    async (starts, power_wanted) => {
      await node(database.sql, start, { region: 'western-europe' });
      const actor = actorFor(await user(database.sql));
      const input = orderInput({ name: 'Fern gorge', region: 'western-europe', starts });
      const { server_id } = await checkout(till, actor, input, null, start);
      expect(await view(server_id)).toBeUndefined();
      await work(start);
      expect(await view(server_id)).toMatchObject({
        ...{
          name: 'Fern gorge',
          plan: 'small',
          lifecycle: 'provisioning',
          power_wanted,
          setup: 'scheduling',
        },
        address: { host: 'play.example.test', port: expect.any(Number) },
      });
    },
  );
});

describe('a paid order whose server is refused', () => {
  it('fails and is refunded, with an error in the log', async () => {
    await node(database.sql, start);
    const actor = actorFor(await user(database.sql));
    const errors: object[] = [];
    const log = { ...pino({ level: 'silent' }), error: (data: object) => errors.push(data) };
    for (const plan of ['small', 'trial'] as const) {
      const { server_id, order_id } = await checkout(till, actor, orderInput({ plan }), null, start);
      till.jobs.splice(0);
      // the version is not offered any more when the server is made
      await database.sql`update orders set game_version = '0.1' where id = ${order_id}`;
      for (let turn = 0; turn < 2; turn++)
        await jobs.create_server.run({ ...at(start), log } as never, { order_id });
      expect(errors.splice(0)).toEqual([
        { order_id, code: 'server_version_unknown', data: expect.anything() },
      ]);
      expect([await view(server_id), await state(server_id)]).toEqual([undefined, 'ended']);
      const [order] = await database.sql`select state from orders where id = ${order_id}`;
      expect(order?.state).toBe('failed');
      expect(till.jobs.map(({ name }) => name)).toEqual(plan === 'trial' ? [] : ['refund_charge']);
      await work(start);
      await jobs.run_billing.run(at(days(1)), {});
      expect(till.jobs).toEqual([]);
    }
    const [charge] = await database.sql`select state from charges where user_id = ${actor.user_id}`;
    expect(charge?.state).toBe('refunded');
    expect((await balances(database.sql)).some(([account]) => account.includes(actor.user_id))).toBe(false);
    // the trial was none: it can be taken again
    expect((await checkout(till, actor, orderInput({ plan: 'trial' }), null, start)).state).toBe('paid');
    await work(start);
  });
});

describe('the billing job', () => {
  it('renews, ends trials, deletes unpaid servers and recovers lost orders, however often it runs', async () => {
    await database.sql`update nodes set draining = true`;
    await node(database.sql, start);
    const [one, two] = [actorFor(await user(database.sql)), actorFor(await user(database.sql))];
    const monthly = await checkout(till, one, orderInput(), null, start);
    const trial = await checkout(till, two, orderInput({ plan: 'trial' }), null, start);
    till.jobs.splice(0); // both jobs are lost
    await jobs.run_billing.run(at(days(1)), {});
    expect(till.jobs.map(({ name }) => name)).toEqual(['create_server', 'create_server']);
    await work(start);
    await database.sql`update servers set lifecycle = 'ready', seen = '{"installed": true}'`;

    await Promise.all([jobs.run_billing.run(at(days(5)), {}), jobs.run_billing.run(at(days(5)), {})]);
    await work(days(5));
    expect(await view(trial.server_id)).toMatchObject({
      ...{ lifecycle: 'suspended', lifecycle_data: { reason: 'trial_ended' } },
    });
    expect([await state(monthly.server_id), await state(trial.server_id)]).toEqual(['active', 'grace']);

    await jobs.run_billing.run(at(days(40)), {}); // a long pause
    await work(days(40));
    expect(await view(trial.server_id)).toBeUndefined();
    expect([await state(monthly.server_id), await state(trial.server_id)]).toEqual(['active', 'ended']);
    const paid = await database.sql`select state from charges where user_id = ${one.user_id}`;
    expect(paid.map((charge) => charge.state)).toEqual(['succeeded', 'succeeded']);
  });

  it('suspends a server again that staff resumed in its grace period, and only then', async () => {
    const { sql } = database;
    await node(sql, start);
    const { server_id } = await checkout(
      till,
      actorFor(await user(sql)),
      orderInput({ plan: 'trial' }),
      null,
      start,
    );
    await work(start);
    await sql`update servers set lifecycle = 'ready', seen = '{"installed": true}' where id = ${server_id}`;
    const barred = () => sql.begin((tx) => suspendServer(tx, server_id, 'moderated'));
    const letGo = () => sql.begin((tx) => resumeByStaff(tx, server_id, new Date()));
    await barred();
    await letGo();
    expect(await view(server_id)).toMatchObject({ lifecycle: 'ready' });
    await barred();
    await jobs.run_billing.run(at(days(5)), {});
    await work(days(5));
    expect(await view(server_id)).toMatchObject({ lifecycle_data: { reason: 'moderated' } });
    await letGo();
    expect(await state(server_id)).toBe('grace');
    expect(await view(server_id)).toMatchObject({
      ...{ lifecycle: 'suspended', lifecycle_data: { reason: 'trial_ended' } },
    });
  });

  it('is not blocked by one subscription that cannot be billed', async () => {
    const [one, two] = [actorFor(await user(database.sql)), actorFor(await user(database.sql))];
    const fails_later = { number: '4000000000000341', expires_month: 12, expires_year: 2030 };
    await checkout(till, one, orderInput(), fails_later, start);
    const sound = await checkout(till, two, orderInput(), null, start);
    const charge: BillingContext['payments']['charge'] = async (ask) => {
      if (ask.reference.startsWith('fails_later')) throw new Error('The line is dead.');
      return await till.payments.charge(ask);
    };
    const flaky = {
      sql: till.sql,
      board: till.board,
      mailing: till.mailing,
      payments: { ...till.payments, charge },
    };
    await jobs.run_billing.run(at(days(31), flaky), {});
    const [end] =
      await database.sql`select period_end from subscriptions where server_id = ${sound.server_id}`;
    expect(end?.period_end).toBe('2027-01-21T12:00:00Z');
  });

  it('does what needs no processor while the processor hangs, and does not ask it again at once', async () => {
    const { sql } = database;
    await nodeWithRoom(sql, { seen: start });
    const payers = await Promise.all(Array.from({ length: 6 }, async () => actorFor(await user(sql))));
    const orders: string[] = [];
    for (const payer of payers)
      orders.push((await checkout(till, payer, orderInput(), null, start)).order_id);
    await sql`update subscriptions set period_end = ${days(50)} where user_id <> all(${payers.map(({ user_id }) => user_id)})`;
    till.jobs.splice(0); // the jobs that make their servers are lost
    let asked = 0;
    const charge: BillingContext['payments']['charge'] = async () => {
      asked += 1;
      // longer than a run may take
      await new Promise((resolve) => setTimeout(resolve, 3_100));
      return { intent_id: null, state: 'waiting', failure: null, unanswered: true };
    };
    const { board, mailing } = till;
    const hung = { sql, board, mailing, payments: { ...till.payments, charge } };
    await jobs.run_billing.run(at(days(31), hung), {});
    expect(asked).toBe(4);
    const enqueued = till.jobs.splice(0);
    for (const order_id of orders)
      expect(enqueued).toContainEqual({ name: 'create_server', data: { order_id } });
    expect(enqueued.map(({ name }) => name)).not.toContain('run_billing');
    // the others come with the next run, and nobody is charged twice
    for (let turn = 0; turn < 2; turn++) await jobs.run_billing.run(at(days(31)), {});
    const paid = await sql`
      select user_id from charges where state = 'succeeded' and reason = 'renewal' and user_id = any(${payers.map(({ user_id }) => user_id)})`;
    expect(new Set(paid.map(({ user_id }) => user_id)).size).toBe(6);
    expect(paid).toHaveLength(6);
  });

  it('tells the payer by mail of a renewal that failed, once for each try', async () => {
    const payer = await user(database.sql);
    const fails_later = { number: '4000000000000341', expires_month: 12, expires_year: 2030 };
    const { server_id } = await checkout(till, actorFor(payer), orderInput(), fails_later, start);
    const mails = () => database.sql<Array<{ id: string; data: string }>>`
      select id, data from mails where user_id = ${payer.id} and template = 'payment_failed'`;
    await jobs.run_billing.run(at(days(29)), {});
    expect(await mails()).toEqual([]);
    for (let turn = 0; turn < 2; turn++) await jobs.run_billing.run(at(days(31)), {});
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const data = JSON.parse(till.mailing.sealer.open(mail!.data, mailPurpose(mail!.id))!);
    expect(data).toMatchObject({
      username: payer.username,
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      link: `/servers/manage/${server_id}/options/billing`,
    });
    expect(data.amount).toBeGreaterThan(0);
  });
});
