import { expect, it } from 'vitest';
import type { OrderView } from '#db/money/billing/view.ts';
import { addressOf, addressOfOrder, nextStep, orderStateOf, stepsOf } from './order-state.ts';
import { costOf } from './price.ts';

const of = (query: string, locale = 'en-US') => orderStateOf(new URLSearchParams(query), locale);

it.each([
  ['', { step: 'plan', plan: 'medium', interval: 'monthly', region: null, currency: 'USD', card: null }],
  ['step=review', { step: 'region' }],
  ['step=review&region=central-europe', { step: 'payment' }],
  ['step=review&region=central-europe&card=4242', { step: 'review', card: '4242' }],
  ['step=review&region=central-europe&plan=trial', { step: 'review' }],
  ['step=payment&region=central-europe&plan=trial', { step: 'review' }],
  ['step=payment&plan=trial', { step: 'region' }],
  ['step=review&region=central-europe&card=4111', { step: 'payment', card: null }],
  [
    'step=nowhere&plan=toString&interval=valueOf&region=moon&currency=XXX',
    { step: 'plan', plan: 'medium', interval: 'monthly', region: null, currency: 'USD' },
  ],
  ['plan=custom&gb=7', { gb: 8 }],
  ['plan=custom&gb=900', { gb: 48 }],
  ['plan=custom&gb=-3', { gb: 2 }],
  ['plan=custom&gb=x', { gb: 12 }],
])('the query "%s" is the order %o', (query, choice) => {
  expect(of(query)).toMatchObject(choice);
});

it('pays with a saved card of the buyer only', () => {
  const query = new URLSearchParams('step=review&region=central-europe&card=saved-A1');
  expect(orderStateOf(query, 'en-US', { saved: ['saved-A1'] })).toMatchObject({
    step: 'review',
    card: 'saved-A1',
  });
  expect(orderStateOf(query, 'en-US', { saved: [] })).toMatchObject({ step: 'payment', card: null });
});

it('has no trial where nothing is sold', () => {
  const query = new URLSearchParams('step=review&region=central-europe&plan=trial');
  expect(orderStateOf(query, 'en-US', { trials: false })).toMatchObject({ plan: 'medium', step: 'payment' });
});

it('has the currency of the language by default', () => {
  expect([of('', 'de-DE').currency, of('', 'ar-SA').currency, of('currency=JPY', 'de-DE').currency]).toEqual([
    'EUR',
    'SAR',
    'JPY',
  ]);
});

it('survives serialization to an address', () => {
  const choice = of(
    'step=review&plan=custom&gb=24&interval=yearly&region=southeast-asia&currency=CHF&card=3220',
  );
  expect(of(addressOf(choice).split('?')[1]!)).toEqual(choice);
  expect(costOf(choice)).toEqual({ gb: 24, term: 'yearly', minor: 260 * 24 * 10 });
});

it('has three steps for a trial, which has nothing to pay', () => {
  const trial = of('plan=trial&region=central-europe&step=region');
  expect([stepsOf(trial), nextStep(trial)]).toEqual([['plan', 'region', 'review'], 'review']);
  const small = of('plan=small&region=central-europe&step=region');
  expect([stepsOf(small).length, nextStep(small)]).toEqual([4, 'payment']);
  expect(nextStep(of('step=review&plan=trial&region=central-europe'))).toBe('review');
});

it('is made again from an order, with another card', () => {
  const order: OrderView = {
    ...{ server_id: 'S1', name: 'Heather & hollow', state: 'unpaid', plan: 'custom', ram_mb: 12_288 },
    ...{ region: 'southeast-asia', term: 'yearly', currency: 'CHF', game_version: '1.21.4', loader: 'paper' },
    period_end: '2027-01-31T12:00:00.000Z',
  };
  const query = new URLSearchParams(addressOfOrder(order).split('?')[1]!);
  expect(orderStateOf(query, 'en-US')).toEqual({
    ...{ step: 'payment', plan: 'custom', gb: 12, interval: 'yearly', region: 'southeast-asia' },
    ...{ currency: 'CHF', card: null, preset: { game_version: '1.21.4', loader: 'paper' } },
  });
  expect([query.get('name'), query.get('game_version'), query.get('loader')]).toEqual([
    ...['Heather & hollow', '1.21.4', 'paper'],
  ]);
  const trial = addressOfOrder({ ...order, plan: 'trial', ram_mb: 3072, term: 'trial', loader: null });
  expect(orderStateOf(new URLSearchParams(trial.split('?')[1]!), 'en-US')).toMatchObject({ step: 'review' });
  expect(trial).not.toContain('gb=');
});
