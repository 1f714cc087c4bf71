import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../platform/people/rules.ts';
import {
  type Currency,
  currencies,
  type Interval,
  intervals,
  paymentStep,
  subscriptionStates,
} from '../rules.ts';
import { cheapestInterval, creatorsHalf, plusPriceOf, whyNotBuyPlus, whyNotSwitchPlus } from './rules.ts';

const all = Object.keys(currencies) as Currency[];
const every = Object.keys(intervals) as Interval[];

describe('prices of Plus', () => {
  it('are those of the specification in US dollars', () => {
    expect(every.map((one) => plusPriceOf('USD', one))).toEqual([499, 1200, 4999]); // Source: specification §9
  });

  it('are whole steps of payments in every currency servers are sold in, and longer intervals save', () => {
    for (const currency of all) {
      const [month = 0, quarter = 0, year = 0] = every.map((one) => plusPriceOf(currency, one));
      for (const price of [month, quarter, year]) {
        expect([currency, Number.isSafeInteger(price), price % paymentStep(currency)]).toEqual([
          currency,
          true,
          0,
        ]);
      }
      expect([currency, quarter < 3 * month, year < 4 * quarter + month, year > 2 * quarter]).toEqual([
        ...[currency, true, true, true],
      ]);
    }
  });

  it('cost about what those of servers cost in their currency', () => {
    for (const currency of all) {
      // USD 3.00 a GB and 4.99 a month: between a half and twice of that ratio
      const ratio = plusPriceOf(currency, 'monthly') / currencies[currency].gb_month / (499 / 300);
      expect([currency, ratio > 0.7 && ratio < 1.3]).toEqual([currency, true]);
    }
  });

  it('give creators half in US cents, and the half cent too', () => {
    expect(every.map(creatorsHalf)).toEqual([250, 600, 2500]);
  });
});

const actor = { email_verified: true } as Actor;
const order = { interval: 'monthly', currency: 'USD' };

describe('who may buy Plus', () => {
  it.each(subscriptionStates)('somebody whose Plus is %s', (state) => {
    const expected = { ended: undefined, pending: 'subscription_pending' } as Record<
      string,
      string | undefined
    >;
    const code = state in expected ? expected[state] : 'plus_owned';
    expect(whyNotBuyPlus(actor, order, state, { enabled: true })?.code).toBe(code);
  });

  it.each([
    [actor, order, true, undefined],
    [actor, order, false, 'payments_off'],
    [{ email_verified: false } as Actor, order, true, 'email_unverified'],
    [actor, { ...order, interval: 'trial' }, true, 'interval_unknown'],
    [actor, { ...order, currency: 'XXX' }, true, 'currency_unknown'],
    [actor, { ...order, currency: 'toString' }, true, 'currency_unknown'],
  ])('%o with %o, sold here: %s, gives %s', (who, wanted, enabled, code) => {
    expect(whyNotBuyPlus(who, wanted, null, { enabled })?.code).toBe(code);
  });
});

describe('another interval of Plus', () => {
  const plus = { state: 'active', term: 'monthly', next_term: null } as const;
  it.each([
    [plus, 'yearly', null],
    [plus, 'monthly', 'plus_unchanged'],
    [plus, 'trial', 'interval_unknown'],
    [{ ...plus, next_term: 'yearly' } as const, 'monthly', null],
    [{ ...plus, next_term: 'yearly' } as const, 'yearly', 'plus_unchanged'],
    [{ ...plus, state: 'pending' } as const, 'yearly', 'subscription_pending'],
    [{ ...plus, state: 'cancelled' } as const, 'yearly', 'subscription_cancelled'],
    [{ ...plus, state: 'failed' } as const, 'yearly', 'subscription_unpaid'],
    [{ ...plus, state: 'grace' } as const, 'yearly', 'subscription_unpaid'],
    [{ ...plus, state: 'ended' } as const, 'yearly', 'plus_unknown'],
  ])('of %o: %s gives %s', (one, interval, code) => {
    expect(whyNotSwitchPlus(one, interval)).toBe(code);
  });
});

it('is cheapest per month by the quarter, in every currency', () => {
  expect(new Set(all.map(cheapestInterval))).toEqual(new Set(['quarterly']));
});
