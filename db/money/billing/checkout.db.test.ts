import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, signWebhook, testBilling, testCard } from '../../testing/billing.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { checkout, collectCharge, handleWebhook } from './checkout.ts';
import { staffSubscriptionsOf } from './desk/read.ts';
import { type LedgerLine, ledgerReport } from './desk/report.ts';
import { firstOfMonth } from './desk/rules.ts';
import { balances } from './ledger.ts';
import { methodsOf } from './methods.ts';
import { paymentProcessor } from './processors/select.ts';
import { trialsPerNetwork } from './rules.ts';

const database = testDatabase();
const till = testBilling(database);
const now = new Date('2026-01-31T12:00:00Z');
let actor: Actor;
beforeEach(async () => {
  till.jobs.length = 0;
  await database.sql`delete from nodes`;
  await nodeWithRoom(database.sql, { seen: now });
  actor = build.actorFor(await build.user(database.sql));
});

const orders = (input = orderInput(), with_card: string | null = null, who = actor) =>
  checkout(till, who, input, with_card === null ? null : testCard(with_card), now);
const rows = async (who = actor) =>
  await database.sql`
    select o.state as "order", u.state as subscription, c.state as charge, c.failure
    from orders o join subscriptions u on u.order_id = o.id left join charges c on c.subscription_id = u.id
    where o.user_id = ${who.user_id} order by c.failure nulls first, o.created`;
const sums = async () =>
  await database.sql`select currency, sum(amount_minor)::int8 as sum from ledger_entries group by currency`;
/** What was sold this month. */
async function sold(): Promise<Pick<LedgerLine, 'debit' | 'credit'>> {
  const month = firstOfMonth(now.toISOString().slice(0, 7))!;
  const lines = await ledgerReport(database.sql, { from: month, until: month });
  return lines.find(({ account }) => account === 'income:servers') ?? { debit: 0, credit: 0 };
}

describe('an order', () => {
  it('is paid, and a job creates its server', async () => {
    const bought = await orders();
    expect(bought.state).toBe('paid');
    expect(await rows()).toEqual([
      { order: 'paid', subscription: 'active', charge: 'succeeded', failure: null },
    ]);
    expect(till.jobs).toEqual([{ name: 'create_server', data: { order_id: bought.order_id } }]);
    const [one] = await database.sql`
      select o.ram_mb, o.cpu_millis, o.swap_mb, o.disk_mb, o.price_minor, u.period_end
      from orders o join subscriptions u on u.order_id = o.id where o.id = ${bought.order_id}`;
    expect(one).toEqual({
      ...{ ram_mb: 4096, cpu_millis: 2000, swap_mb: 512, disk_mb: 32768, price_minor: 1200 },
      period_end: '2026-02-28T12:00:00Z',
    });
  });

  it('is placed once however often it is sent, concurrently and later', async () => {
    const input = orderInput();
    const answers = await Promise.all([orders(input), orders(input), orders(input)]);
    answers.push(await orders(input));
    expect(new Set(answers.map(({ server_id }) => server_id)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect(till.jobs).toHaveLength(1);
    const other = build.actorFor(await build.user(database.sql));
    await expect(orders(input, null, other)).rejects.toMatchObject({ code: 'operation_mismatch' });
    for (const other of [{ plan: 'large' }, { interval: 'yearly' }, { currency: 'EUR' }])
      await expect(orders({ ...input, ...other })).rejects.toMatchObject({ code: 'operation_mismatch' });
  });

  it('stores the name of its server, and refuses an invalid one', async () => {
    for (const name of ['My\tserver', 'a\u0000', '\u0958'.repeat(48), '\ud800', 'x'.repeat(49)])
      await expect(orders(orderInput({ name }))).rejects.toMatchObject({ code: 'server_name_length' });
    await orders(orderInput({ name: '  Cafe\u0301 ' }));
    const [order] = await database.sql`select name from orders where user_id = ${actor.user_id}`;
    expect(order?.name).toBe('Caf\u00e9');
  });

  it('that is declined charges nothing and can be repeated with another card', async () => {
    const before = await sold();
    const input = orderInput();
    await expect(orders(input, '4000000000000002')).rejects.toMatchObject({ code: 'payment_declined' });
    await expect(orders(input, '4242424242424242')).rejects.toMatchObject({ code: 'payment_declined' });
    await expect(orders(orderInput(), '4000000000009995')).rejects.toMatchObject({
      data: { reason: 'insufficient_funds' },
    });
    expect(await rows()).toEqual([
      { order: 'failed', subscription: 'ended', charge: 'failed', failure: 'declined' },
      { order: 'failed', subscription: 'ended', charge: 'failed', failure: 'insufficient_funds' },
    ]);
    expect(till.jobs).toEqual([]);
    expect((await orders(orderInput(), '5555555555554444')).state).toBe('paid');
    // bills that nobody paid were never sold
    const after = await sold();
    expect([after.debit - before.debit, after.credit - before.credit]).toEqual([0, 1200]);
    const seen = await staffSubscriptionsOf(database.sql, actor.user_id);
    expect(seen.map(({ state, never_paid }) => [state, never_paid])).toEqual([
      ['active', false],
      ['ended', true],
      ['ended', true],
    ]);
    const cards = await methodsOf(database.sql, actor.user_id, 'test');
    expect(cards[0]).toMatchObject({ last_four: '4444', is_primary: true, declined: false });
    expect(
      cards.slice(1).map(({ last_four, is_primary, declined }) => [last_four, is_primary, declined]),
    ).toEqual(
      expect.arrayContaining([
        ['9995', false, true],
        ['0002', false, true],
      ]),
    );
  });

  it('requires a verified address, accepted terms and a known card that has not expired', async () => {
    const refused = (input: Parameters<typeof orders>[0], who = actor) =>
      orders(input, null, who).then(
        () => 'done',
        (error) => error.code,
      );
    expect(await refused(orderInput(), { ...actor, email_verified: false })).toBe('email_unverified');
    expect(await refused(orderInput(), { ...actor, scopes: new Set(['SERVER_READ']) })).toBe('scope_missing');
    expect(await refused(orderInput({ terms_accepted: false }))).toBe('terms_required');
    expect(await refused(orderInput({ name: ' ' }))).toBe('server_name_length');
    expect(await refused(orderInput({ kind: 'mainframe' }))).toBe('server_kind_unknown');
    expect(await refused(orderInput({ game_version: '0.1' }))).toBe('server_version_unknown');
    expect(await refused(orderInput({ region: 'moon' }))).toBe('region_unknown');
    await expect(
      orders(orderInput({ terms_accepted: false, name: '', game_version: '0.1' })),
    ).rejects.toMatchObject({
      code: 'terms_required',
      data: { reasons: ['terms_required', 'server_name_length', 'server_version_unknown'] },
    });
    await expect(orders(orderInput(), '4111111111111111')).rejects.toMatchObject({ code: 'card_unknown' });
    const old = { ...testCard('4242424242424242'), expires_year: 2025 };
    await expect(checkout(till, actor, orderInput(), old, now)).rejects.toMatchObject({
      code: 'card_expired',
    });
    expect(await rows()).toEqual([]);
  });

  it('stores no card number', async () => {
    await orders(orderInput(), '4242424242424242');
    const [kept] = await database.sql`select * from payment_methods where user_id = ${actor.user_id}`;
    expect(kept).toMatchObject({ brand: 'Visa', last_four: '4242' });
    expect(JSON.stringify(kept)).not.toContain('424242');
  });
});

describe('a trial', () => {
  it('costs nothing, lasts five days and is once per user, also concurrently', async () => {
    const answers = await Promise.allSettled([
      orders(orderInput({ plan: 'trial' })),
      orders(orderInput({ plan: 'trial' })),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(orders(orderInput({ plan: 'trial' }))).rejects.toMatchObject({ code: 'trial_used' });
    const [one] = await database.sql`
      select o.ram_mb, o.cpu_millis, o.disk_mb, o.price_minor, u.period_end, u.state
      from orders o join subscriptions u on u.order_id = o.id where o.user_id = ${actor.user_id}`;
    expect(one).toEqual({
      ...{ ram_mb: 3072, cpu_millis: 2000, disk_mb: 24576, price_minor: 0, state: 'active' },
      period_end: '2026-02-05T12:00:00Z',
    });
    expect(till.jobs).toHaveLength(1);
  });
});

describe('an installation without sales', () => {
  const closed = () => ({ ...till, payments: paymentProcessor({ PAYMENTS: 'off' }) });
  it.each(['trial', 'small', 'custom'] as const)('refuses the plan %s before anything else', async (plan) => {
    const input = orderInput({ plan, ram_gb: 6, name: '' });
    for (const given of [null, testCard('4242424242424242')])
      await expect(checkout(closed(), actor, input, given, now)).rejects.toMatchObject({
        code: 'payments_off',
      });
    expect(await rows()).toEqual([]);
    expect(till.jobs).toEqual([]);
  });
});

describe('trials of one network', () => {
  const tries = async (address: string | null, at = now) => {
    const person = build.actorFor(await build.user(database.sql));
    const input = orderInput({ plan: 'trial', address });
    return await checkout(till, person, input, null, at).then(
      ({ state }) => state as string,
      (error) => error.code as string,
    );
  };
  const tomorrow = new Date(now.getTime() + 86_400_000);

  it('are limited per day, for all users and concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: trialsPerNetwork + 2 }, (_, at) => tries(`203.0.113.${at}`)),
    );
    expect(answers.filter((answer) => answer === 'paid')).toHaveLength(trialsPerNetwork);
    expect(answers.filter((answer) => answer === 'trial_network_limit')).toHaveLength(2);
    expect(await tries('203.0.114.1')).toBe('paid');
    expect(await tries(null)).toBe('paid');
    await database.sql`update nodes set last_seen = ${tomorrow}`;
    expect(await tries('203.0.113.1', tomorrow)).toBe('paid');
  });

  it('are stored as a hash that changes daily, only for today', async () => {
    const stored = () => database.sql`select day, network from trial_networks`;
    await database.sql`delete from trial_networks`;
    await tries('198.51.100.1');
    const [first] = await stored();
    await database.sql`update nodes set last_seen = ${tomorrow}`;
    await tries('198.51.100.1', tomorrow);
    const [second, ...more] = await stored();
    expect(more).toEqual([]);
    expect(second!.network).not.toBe(first!.network);
    expect(second!.network).toMatch(/^[\w-]{43}$/);
  });

  it('do not count refused orders', async () => {
    const address = '192.0.2.1';
    for (let count = 0; count < 3; count++) {
      const input = orderInput({ plan: 'trial', region: 'southeast-asia', address });
      await expect(checkout(till, actor, input, null, now)).rejects.toMatchObject({ code: 'out_of_stock' });
    }
    for (let count = 0; count < trialsPerNetwork; count++) expect(await tries(address)).toBe('paid');
  });
});

describe('the last capacity', () => {
  it('goes to one of two orders; the other is refused before it pays', async () => {
    await database.sql`delete from nodes`;
    await nodeWithRoom(database.sql, { rooms: 1, region: 'southeast-asia', seen: now });
    const other = build.actorFor(await build.user(database.sql));
    const asian = () => orderInput({ region: 'southeast-asia' });
    const answers = await Promise.allSettled([orders(asian()), orders(asian(), null, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = answers.find((answer) => answer.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'out_of_stock', data: { region: 'southeast-asia' } });
    expect(await rows()).toHaveLength(1 - (await rows(other)).length);
  });

  it('is none without nodes, and enough while a node has not reported its size', async () => {
    const west = () => orderInput({ region: 'western-europe' });
    await expect(orders(west())).rejects.toMatchObject({ code: 'out_of_stock' });
    const id = await nodeWithRoom(database.sql, { region: 'western-europe', seen: now });
    await database.sql`
      update nodes set status = 'new', ram_mb = null, cpu_millis = null, disk_mb = null, facts = '{}' where id = ${id}`;
    expect((await orders(west())).state).toBe('paid');
  });
});

describe('a card that settles later', () => {
  it('creates the server when the processor reports success, once for repeated webhooks', async () => {
    const bought = await orders(orderInput(), '4000000000003220');
    expect([bought.state, till.jobs]).toEqual(['waiting', []]);
    expect(await rows()).toMatchObject([{ order: 'pending', subscription: 'pending', charge: 'waiting' }]);
    const [charge] = await database.sql`select intent_id from charges where user_id = ${actor.user_id}`;
    const body = JSON.stringify({
      id: 'event-1',
      outcome: { intent_id: charge?.intent_id, state: 'succeeded', failure: null },
    });
    const signature = await signWebhook(database.sql, body, now);
    expect(
      await Promise.all([
        handleWebhook(till, signature, body, now),
        handleWebhook(till, signature, body, now),
      ]),
    ).toContain(true);
    expect(await handleWebhook(till, signature, body, now)).toBe(false);
    expect(await rows()).toMatchObject([{ order: 'paid', subscription: 'active', charge: 'succeeded' }]);
    expect(till.jobs).toEqual([{ name: 'create_server', data: { order_id: bought.order_id } }]);
  });

  it('is retrieved when no webhook arrives', async () => {
    await orders(orderInput(), '4000000000003220');
    const [charge] = await database.sql`select id from charges where user_id = ${actor.user_id}`;
    expect((await collectCharge(till, charge!.id, now))?.state).toBe('waiting');
    const later = new Date(now.getTime() + 60_000);
    expect((await collectCharge(till, charge!.id, later))?.state).toBe('succeeded');
    expect((await collectCharge(till, charge!.id, later))?.state).toBe('succeeded');
    expect(till.jobs).toHaveLength(1);
  });
});

describe('a webhook', () => {
  const body = JSON.stringify({ id: 'x', outcome: { intent_id: 'none', state: 'succeeded', failure: null } });
  it('with a forged, altered or old signature is refused', async () => {
    const signature = await signWebhook(database.sql, body, now);
    const late = new Date(now.getTime() + 3_600_000);
    for (const [given, text, at, code] of [
      [null, body, now, 'webhook_signature'],
      ['t=1,v1=00', body, now, 'webhook_signature'],
      [signature, `${body} `, now, 'webhook_signature'],
      [signature.replace(/t=\d/, 't=2'), body, now, 'webhook_signature'],
      [signature, body, late, 'webhook_stale'],
    ] as const)
      await expect(handleWebhook(till, given, text, at)).rejects.toMatchObject({ code });
    expect(await database.sql`select 1 from webhook_events where id = 'x'`).toHaveLength(0);
  });

  it('about an unknown charge changes nothing', async () => {
    const before = await balances(database.sql);
    expect(await handleWebhook(till, await signWebhook(database.sql, body, now), body, now)).toBe(true);
    expect(await balances(database.sql)).toEqual(before);
  });
});

describe('the ledger', () => {
  it('sums to zero after every kind of order, with the expected balance of each account', async () => {
    await orders(orderInput({ interval: 'monthly' }));
    await orders(orderInput({ interval: 'quarterly', currency: 'JPY' }));
    await orders(orderInput({ interval: 'yearly', currency: 'KWD', plan: 'custom', ram_gb: 48 }));
    await orders(orderInput({ plan: 'trial' }));
    await orders(orderInput(), '4000000000000002').catch(() => {});
    await orders(orderInput({ currency: 'EUR' }), '4000000000003220');
    for (const { sum } of await sums()) expect(sum).toBe(0);
    const mine = (await balances(database.sql)).filter(([account]) => account.includes(actor.user_id));
    expect(mine).toEqual([[`customer:${actor.user_id}`, 'EUR', 1120]]);
    const [yen] = await database.sql`
      select amount_minor from charges where user_id = ${actor.user_id} and currency = 'JPY'`;
    expect(yen?.amount_minor).toBe(460 * 4 * 2.5);
  });

  it('rejects unbalanced transactions and changes', async () => {
    const bought = await orders();
    const [charge] = await database.sql`
      select c.id from charges c join subscriptions u on u.id = c.subscription_id where u.order_id = ${bought.order_id}`;
    const unbalanced = database.sql.begin(async (tx) => {
      await tx`insert into ledger_transactions ${tx({ id: 'Unbal001', kind: 'void', charge_id: charge!.id, created: now })}`;
      await tx`insert into ledger_entries ${tx({ transaction_id: 'Unbal001', account_id: 'income:servers', currency: 'USD', amount_minor: 5 })}`;
    });
    await expect(unbalanced).rejects.toThrow('does not balance');
    await expect(database.sql`update ledger_entries set amount_minor = amount_minor + 1`).rejects.toThrow(
      'never',
    );
    await expect(database.sql`delete from ledger_entries`).rejects.toThrow('never');
  });
});
