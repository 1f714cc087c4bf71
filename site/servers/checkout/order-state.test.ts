import { expect, it } from 'vitest';
import { addressOf, costOf, orderStateOf } from './order-state.ts';

const of = (query: string, locale = 'en-US') => orderStateOf(new URLSearchParams(query), locale);

it.each([
  ['', { step: 'plan', plan: 'medium', interval: 'monthly', region: null, currency: 'USD', card: null }],
  ['step=review', { step: 'region' }],
  ['step=review&region=central-europe', { step: 'payment' }],
  ['step=review&region=central-europe&card=4242', { step: 'review', card: '4242' }],
  ['step=review&region=central-europe&plan=trial', { step: 'review' }],
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
