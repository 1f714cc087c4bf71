import { assert, constantFrom, date, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../hosting/servers/sizes.ts';
import {
  addMonths,
  type Currency,
  currencies,
  currencyOf,
  type DeletionCost,
  type Due,
  deletionCost,
  dueNow,
  graceDays,
  type Interval,
  intervals,
  type OrderRequest,
  periodEnd,
  plans,
  priceOf,
  ramGbOf,
  regions,
  retryDays,
  type SubscriptionFacts,
  type SubscriptionState,
  subscriptionMoves,
  subscriptionStates,
  whyNotCancel,
  whyNotOrder,
  whyNotResubscribe,
} from './rules.ts';

const all = Object.keys(currencies) as Currency[];
const every = Object.keys(intervals) as Interval[];

it('lets pauses between the tries of a failed charge grow, within the length of the grace period', () => {
  for (const [index, days] of retryDays.entries()) expect(days).toBeGreaterThan(retryDays[index - 1] ?? 0);
  expect(retryDays.reduce<number>((sum, days) => sum + days, 0)).toBeLessThanOrEqual(graceDays);
});

describe('sizes and prices', () => {
  it.each([
    // Source: specification §9
    [2, { ram_mb: 2048, cpu_millis: 2000, swap_mb: 512, disk_mb: 16384 }, 600],
    [3, { ram_mb: 3072, cpu_millis: 2000, swap_mb: 512, disk_mb: 24576 }, 900],
    [4, { ram_mb: 4096, cpu_millis: 2000, swap_mb: 512, disk_mb: 32768 }, 1200],
    [8, { ram_mb: 8192, cpu_millis: 4000, swap_mb: 512, disk_mb: 65536 }, 2400],
    [48, { ram_mb: 49152, cpu_millis: 8000, swap_mb: 512, disk_mb: 393216 }, 14400],
  ])('%i GB are %o and cost %i cents a month', (gb, size, cents) => {
    expect(sizeOf(gb)).toEqual(size);
    expect(priceOf(gb, 'USD', 'monthly')).toBe(cents);
  });

  it('are whole, two and a half times for a quarter and ten times for a year, in every currency', () => {
    assert(
      property(constantFrom(...all), integer({ min: 1, max: 48 }), (currency, gb) => {
        const month = priceOf(gb, currency, 'monthly');
        const prices = every.map((interval) => priceOf(gb, currency, interval));
        expect(prices.every(Number.isSafeInteger)).toBe(true);
        expect(prices).toEqual([month, month * 2.5, month * 10]);
      }),
    );
  });

  it('are in at least 35 currencies, with the decimals of ISO 4217', () => {
    expect(all.length).toBeGreaterThanOrEqual(35);
    const odd = all
      .filter((code) => currencies[code].digits !== 2)
      .map((code) => [code, currencies[code].digits]);
    expect(Object.fromEntries(odd)).toEqual({ BHD: 3, CLP: 0, JPY: 0, KRW: 0, KWD: 3, VND: 0 });
  });

  it.each([
    ['DE', 'EUR'],
    ['GB', 'GBP'],
    ['US', 'USD'],
    ['SA', 'SAR'],
    ['JP', 'JPY'],
    ['LI', 'CHF'],
    ['EU', 'USD'],
    ['ZZ', 'USD'],
  ])('of %s are in %s', (country, currency) => {
    expect(currencyOf(country)).toBe(currency);
  });
});

describe('an order request', () => {
  const good: OrderRequest = {
    plan: 'custom',
    ram_gb: 10,
    interval: 'yearly',
    region: 'north-america',
    currency: 'EUR',
    terms_accepted: true,
  };
  it.each<[string, Partial<OrderRequest>, string | undefined]>([
    ['as it should be', {}, undefined],
    ['of every plan', { plan: 'large', ram_gb: null }, undefined],
    ['of a trial without an interval', { plan: 'trial', interval: '' }, undefined],
    ['of an unknown plan', { plan: 'huge' }, 'plan_unknown'],
    ['of no size', { ram_gb: null }, 'plan_ram'],
    ['of an odd size', { ram_gb: 11 }, 'plan_ram'],
    ['of a broken size', { ram_gb: 4.5 }, 'plan_ram'],
    ['too small', { ram_gb: 0 }, 'plan_ram'],
    ['too large', { ram_gb: 50 }, 'plan_ram'],
    ['for nowhere', { region: 'moon' }, 'region_unknown'],
    ['in no money', { currency: 'toString' }, 'currency_unknown'],
    ['for no time', { interval: 'constructor' }, 'interval_unknown'],
    ['without accepted terms', { terms_accepted: false }, 'terms_required'],
  ])('%s', (_, change, code) => {
    expect(whyNotOrder({ ...good, ...change })?.code).toBe(code);
  });

  it('is valid for every plan in every region', () => {
    for (const plan of plans)
      for (const region of regions) expect(whyNotOrder({ ...good, plan, region })).toBeNull();
    expect(plans.map((plan) => ramGbOf(plan, 10))).toEqual([4, 6, 8, 10, 3]);
  });
});

describe('periods', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2026-01-31T10:00:00Z', 3, '2026-04-30T10:00:00Z'],
    ['2026-12-31T23:59:59Z', 2, '2027-02-28T23:59:59Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00Z'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(new Date(from), months)).toEqual(new Date(to));
  });

  it('return to the 31st after a February', () => {
    const anchor = new Date('2026-01-31T10:00:00Z');
    const ends = [anchor];
    for (let turn = 0; turn < 3; turn++) ends.push(periodEnd(anchor, ends.at(-1)!, 'monthly'));
    expect(ends.map((end) => end.toISOString().slice(5, 10))).toEqual(['01-31', '02-28', '03-31', '04-30']);
  });

  it('follow each other without gaps, with the length of their interval', () => {
    const day_ms = 86_400_000;
    const from = date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    assert(
      property(from, constantFrom(...every), integer({ min: 0, max: 30 }), (anchor, interval, before) => {
        const start = addMonths(anchor, before * intervals[interval]);
        const end = periodEnd(anchor, start, interval);
        expect(end).toEqual(addMonths(anchor, (before + 1) * intervals[interval]));
        const days = (end.getTime() - start.getTime()) / day_ms;
        expect(days).toBeGreaterThanOrEqual(28 * intervals[interval]);
        expect(days).toBeLessThanOrEqual(31 * intervals[interval]);
      }),
    );
  });

  it('of a trial last five days', () => {
    const start = new Date('2026-02-26T08:00:00Z');
    expect(periodEnd(start, start, 'trial')).toEqual(new Date('2026-03-03T08:00:00Z'));
  });
});

describe('due actions', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const [past, ahead] = [new Date('2026-05-31T00:00:00Z'), new Date('2026-06-02T00:00:00Z')];
  const facts = (given: Partial<SubscriptionFacts>): SubscriptionFacts => ({
    ...{ state: 'active', term: 'monthly', period_end: past, next_attempt: null, grace_until: null },
    ...given,
  });
  it.each<[Partial<SubscriptionFacts>, Due | null]>([
    [{}, 'renew'],
    [{ period_end: now }, 'renew'],
    [{ period_end: ahead }, null],
    [{ term: 'trial' }, 'end_trial'],
    [{ term: 'trial', period_end: ahead }, null],
    [{ state: 'failed', next_attempt: past }, 'retry'],
    [{ state: 'failed', next_attempt: ahead }, null],
    [{ state: 'failed' }, 'give_up'],
    [{ state: 'cancelled' }, 'end_period'],
    [{ state: 'cancelled', period_end: ahead }, null],
    [{ state: 'grace', grace_until: past }, 'remove'],
    [{ state: 'grace', grace_until: ahead }, null],
    [{ state: 'pending' }, null],
    [{ state: 'ended' }, null],
  ])('of %o is %s', (given, due) => {
    expect(dueNow(facts(given), now)).toBe(due);
  });
});

describe('subscriptions', () => {
  it('follow the transition table, and end in the final state', () => {
    const moves = subscriptionStates.flatMap((from) => subscriptionMoves[from].map((to) => `${from} ${to}`));
    expect(moves.sort()).toEqual(
      [
        ...['pending active', 'pending ended'],
        ...['active cancelled', 'active failed', 'active grace', 'active ended'],
        ...['failed active', 'failed grace', 'failed ended'],
        ...['cancelled active', 'cancelled grace', 'cancelled ended'],
        ...['grace active', 'grace ended'],
      ].sort(),
    );
  });

  it.each<[SubscriptionState, string | null, string | null]>([
    ['pending', 'subscription_pending', 'subscription_pending'],
    ['active', null, 'subscription_active'],
    ['failed', null, null],
    ['cancelled', 'subscription_cancelled', null],
    ['grace', 'subscription_cancelled', null],
    ['ended', 'subscription_cancelled', 'subscription_ended'],
  ])('that are %s: cancel %s, resubscribe %s', (state, cancel, again) => {
    expect([whyNotCancel(state), whyNotResubscribe(state)]).toEqual([cancel, again]);
  });
});

describe('deleting a server', () => {
  it.each<[SubscriptionState, DeletionCost, DeletionCost]>([
    ['active', 'lost', 'refundable'],
    ['cancelled', 'lost', 'lost'],
    ['failed', 'unpaid', 'unpaid'],
    ['grace', 'unpaid', 'unpaid'],
    ['ended', 'free', 'free'],
  ])('while its subscription is %s costs: %s on a node, else %s', (state, placed, unplaced) => {
    expect(deletionCost({ state, term: 'monthly', placed: true })).toBe(placed);
    expect(deletionCost({ state, term: 'monthly', placed: false })).toBe(unplaced);
    expect(deletionCost({ state, term: 'trial', placed: true })).toBe('free');
  });

  it('costs nothing where nothing is paid', () => {
    expect(deletionCost(null)).toBe('free');
  });
});
