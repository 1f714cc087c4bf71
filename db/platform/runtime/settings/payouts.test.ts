import { expect, it } from 'vitest';
import { parseSettings } from '../env.ts';
import { whyNotPayouts } from './payouts.ts';

const paypal = { PAYPAL_CLIENT_ID: 'a', PAYPAL_CLIENT_SECRET: 'b', PAYPAL_WEBHOOK_ID: 'c' };

it('asks for the settings of the providers that are used, and of no others', () => {
  expect(whyNotPayouts(['test'], {})).toBeNull();
  expect(whyNotPayouts([], {})).toBeNull();
  expect(whyNotPayouts(['paypal'], paypal)).toBeNull();
  expect(whyNotPayouts(['paypal', 'bank'], { ...paypal, BANK_DEBTOR_NAME: 'K' })).toBe(
    'PAYOUTS=bank needs BANK_DEBTOR_IBAN: the IBAN of the account that pays.',
  );
  expect(whyNotPayouts(['tremendous'], {})?.split('\n')).toHaveLength(3);
  expect(() => parseSettings({ PAYOUTS: 'paypal' })).toThrow('PAYOUTS=paypal needs PAYPAL_CLIENT_ID');
  expect(parseSettings({ PAYOUTS: 'paypal', ...paypal }).PAYOUTS).toEqual(['paypal']);
});

it('takes account numbers as people write them', () => {
  const bank = {
    BANK_DEBTOR_NAME: 'K',
    BANK_DEBTOR_IBAN: 'de89 3704 0044 0532 0130 00',
    BANK_DEBTOR_BIC: 'cobadeff',
  };
  expect(parseSettings({ PAYOUTS: 'bank', ...bank })).toMatchObject({
    ...{ BANK_DEBTOR_IBAN: 'DE89370400440532013000', BANK_DEBTOR_BIC: 'COBADEFF', BANK_CURRENCY: 'EUR' },
  });
});
