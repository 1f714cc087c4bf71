import { describe, expect, it } from 'vitest';
import { creditOf, type PaidPlan, planChange, whyNotWanted } from './rules.ts';

const paid: PaidPlan = {
  ...{ plan: 'small', ram_gb: 4, term: 'monthly', currency: 'USD', paid_minor: 1200 },
  period_start: new Date('2026-04-01T00:00:00Z'),
  period_end: new Date('2026-05-01T00:00:00Z'),
};
const middle = new Date('2026-04-16T00:00:00Z');

describe('creditOf', () => {
  it('is the unused part, rounded down', () => {
    expect(creditOf(paid, paid.period_start)).toBe(1200);
    expect(creditOf(paid, middle)).toBe(600);
    expect(creditOf(paid, new Date(middle.getTime() + 1))).toBe(599);
    expect(creditOf(paid, paid.period_end)).toBe(0);
    expect(creditOf(paid, new Date('2027-01-01'))).toBe(0);
    expect(creditOf({ ...paid, term: 'trial', paid_minor: 0 }, middle)).toBe(0);
  });
});

describe('planChange', () => {
  const change = (wanted: Parameters<typeof planChange>[1], now = middle, from = paid) => {
    const { kind, due_minor, credit_minor, price_minor, starts } = planChange(from, wanted, now);
    return { kind, due_minor, credit_minor, price_minor, starts: starts.toISOString().slice(0, 10) };
  };

  it('changes nothing when it is so already', () => {
    expect(change({ plan: 'small', interval: 'monthly' }).kind).toBe('none');
  });

  it('charges more memory now, less what was not used', () => {
    expect(change({ plan: 'large', interval: 'monthly' })).toEqual({
      ...{ kind: 'now', price_minor: 2400, credit_minor: 600, due_minor: 1800, starts: '2026-04-16' },
    });
  });

  it('charges a longer interval now, and begins a shorter one with the next period', () => {
    expect(change({ plan: 'small', interval: 'yearly' })).toMatchObject({ kind: 'now', due_minor: 11_400 });
    const yearly: PaidPlan = { ...paid, term: 'yearly', paid_minor: 12_000 };
    expect(change({ plan: 'small', interval: 'monthly' }, middle, yearly)).toMatchObject({
      ...{ kind: 'later', due_minor: 0, starts: '2026-05-01' },
    });
  });

  it('begins less memory with the next period, whatever the interval', () => {
    const large: PaidPlan = { ...paid, plan: 'large', ram_gb: 8, paid_minor: 2400 };
    for (const interval of ['monthly', 'yearly'])
      expect(change({ plan: 'small', interval }, middle, large)).toMatchObject({
        kind: 'later',
        due_minor: 0,
      });
  });

  it('begins later what the credit would pay for', () => {
    const yearly: PaidPlan = { ...paid, term: 'yearly', paid_minor: 12_000 };
    expect(change({ plan: 'large', interval: 'monthly' }, middle, yearly).kind).toBe('later');
  });

  it('ends a trial with a whole period of the plan', () => {
    const trial: PaidPlan = { ...paid, plan: 'trial', ram_gb: 3, term: 'trial', paid_minor: 0 };
    expect(change({ plan: 'custom', ram_gb: 2, interval: 'monthly' }, middle, trial)).toMatchObject({
      ...{ kind: 'now', due_minor: 600, starts: '2026-04-16' },
    });
  });
});

it('refuses what is not sold', () => {
  const code = (plan: string, interval = 'monthly', ram_gb?: number) =>
    whyNotWanted({ plan, interval, ram_gb })?.code ?? null;
  expect([code('small'), code('custom', 'yearly', 10), code('trial'), code('huge')]).toEqual([
    ...[null, null, 'plan_unknown', 'plan_unknown'],
  ]);
  expect([code('custom', 'monthly', 3), code('custom'), code('small', 'weekly')]).toEqual([
    ...['plan_ram', 'plan_ram', 'interval_unknown'],
  ]);
});
