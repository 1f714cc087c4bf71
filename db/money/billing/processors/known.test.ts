import { expect, it } from 'vitest';
import { brandOf, enteredMethod, paymentPageOf, platformOf, processors } from './known.ts';

const now = new Date('2026-11-23T08:00:00Z');

it.each<[stored: string, platform: string, brand: string | null, page: string | null]>([
  ['stripe', 'Stripe', 'Stripe', 'https://dashboard.stripe.com/payments/pi_1'],
  ['stripe_test', 'Stripe', null, null],
  ['test', 'None', null, null],
  ['off', 'None', null, null],
  ['closed_last_year', 'None', null, null],
  ['toString', 'None', null, null],
])('a charge at %s is shown as one of %s', (stored, platform, brand, page) => {
  expect([platformOf(stored), brandOf(stored), paymentPageOf(stored, 'pi_1')]).toEqual([
    platform,
    brand,
    page,
  ]);
  expect(paymentPageOf(stored, null)).toBeNull();
});

it('reads what the form of each processor sends, whichever is used', () => {
  const card = enteredMethod('4242')!;
  expect(card.card).toEqual({ brand: 'Visa', digits: '4242' });
  expect(card.method(now)).toEqual({ number: '4242424242424242', expires_month: 12, expires_year: 2031 });
  const confirmed = enteredMethod('seti_1Abc')!;
  expect([confirmed.card, confirmed.method(now)]).toEqual([null, { confirmed: 'seti_1Abc' }]);
  const others = [null, undefined, '', 'another', 'saved-12', '0000', '4242424242424242', 'seti_', 'pi_1'];
  for (const text of [...others, `seti_${'x'.repeat(201)}`]) expect(enteredMethod(text)).toBeNull();
});

it.each(Object.entries(processors))('%s loads from origins by TLS only', (_, { browser }) => {
  for (const origin of [...Object.values(browser.sources).flat(), ...browser.payment])
    expect(origin).toMatch(/^https:\/\/(\*\.)?[\w.-]+$/);
});
