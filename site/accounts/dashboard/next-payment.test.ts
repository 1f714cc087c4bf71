import { expect, it } from 'vitest';
import { nextPayment } from './next-payment.ts';

const server = {
  state: 'active',
  term: 'monthly',
  period_end: '2026-12-20T00:00:00Z',
  price_minor: 1200,
  currency: 'USD',
  name: 'Valley',
  change: null,
} as const;
const plus = {
  state: 'active',
  period_end: '2026-12-10T00:00:00Z',
  price_minor: 500,
  currency: 'USD',
  next: null,
} as const;

it('is the first that renews, with what was chosen for the next period', () => {
  const sooner = { ...server, name: 'Hill', period_end: '2026-12-05T00:00:00Z', price_minor: 1800 };
  expect(nextPayment([server, sooner], plus)).toEqual({
    ...{ at: '2026-12-05T00:00:00Z', amount_minor: 1800, currency: 'USD', name: 'Hill' },
  });
  expect(nextPayment([server], plus)).toMatchObject({ name: null, amount_minor: 500 });
  const change = {
    state: 'scheduled',
    plan: 'large',
    ram_mb: 8192,
    term: 'yearly',
    price_minor: 24_000,
  } as const;
  expect(nextPayment([{ ...server, change }], null)).toMatchObject({ amount_minor: 24_000 });
  const next = { term: 'yearly', price_minor: 5000 } as const;
  expect(nextPayment([], { ...plus, next })).toMatchObject({ amount_minor: 5000 });
});

it('is nothing of trials, and of what ends or failed', () => {
  for (const state of ['cancelled', 'failed', 'grace', 'pending'] as const)
    expect(nextPayment([{ ...server, state }], { ...plus, state })).toBeNull();
  expect(nextPayment([{ ...server, term: 'trial' }], null)).toBeNull();
});
