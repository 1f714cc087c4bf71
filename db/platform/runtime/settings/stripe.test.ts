import { expect, it } from 'vitest';
import { parseSettings } from '../env.ts';
import { whyNotStripe } from './stripe.ts';

const keys = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_51Abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51Abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_Abc',
};

it('takes three keys of one mode, and asks for none without Stripe', () => {
  expect(whyNotStripe(keys)).toBeNull();
  expect(whyNotStripe({ ...keys, STRIPE_SECRET_KEY: 'rk_test_51Abc' })).toBeNull();
  expect(whyNotStripe({ PAYMENTS: 'test' })).toBeNull();
  expect(parseSettings(keys)).toMatchObject({ ...keys, PAYMENTS_TEST: 'on' });
  const live = { ...keys, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
  expect(parseSettings(live)).toMatchObject({ PAYMENTS: 'stripe', PAYMENTS_TEST: 'off' });
  expect(parseSettings({ PAYMENTS: 'off' }).PAYMENTS_TEST).toBe('off');
});

it('says each missing key on a line of its own', () => {
  expect(whyNotStripe({ PAYMENTS: 'stripe' })?.split('\n')).toEqual([
    'PAYMENTS=stripe needs STRIPE_SECRET_KEY: a key that begins with sk_test_, sk_live_, rk_test_ or rk_live_.',
    'PAYMENTS=stripe needs STRIPE_PUBLISHABLE_KEY: a key that begins with pk_test_ or pk_live_.',
    'PAYMENTS=stripe needs STRIPE_WEBHOOK_SECRET: a key that begins with whsec_.',
  ]);
});

it('refuses keys in the place of another and of different modes, and repeats none of them', () => {
  const swapped = whyNotStripe({ ...keys, STRIPE_PUBLISHABLE_KEY: 'sk_live_Secret' });
  expect(swapped).toContain('STRIPE_PUBLISHABLE_KEY is not such a key');
  expect(swapped).not.toContain('Secret');
  expect(whyNotStripe({ ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_51Abc' })).toContain('different modes');
});
