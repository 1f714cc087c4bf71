import { z } from 'zod';
import { address, type Setting } from './shapes.ts';

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/)
  .describe('the key as Stripe shows it, without spaces');

/** The account at Stripe by which servers are sold. By docs.stripe.com/keys. */
export const stripeSettings = {
  STRIPE_SECRET_KEY: { shape: key, secret: true },
  STRIPE_PUBLISHABLE_KEY: { shape: key },
  STRIPE_WEBHOOK_SECRET: { shape: key, secret: true },
  STRIPE_API_URL: { shape: address },
} satisfies Record<string, Setting>;

export type StripeGiven = { [Name in keyof typeof stripeSettings]?: string | undefined };

/** How each key begins. */
const shapes = {
  STRIPE_SECRET_KEY: [/^[sr]k_(test|live)_\w+$/, 'sk_test_, sk_live_, rk_test_ or rk_live_'],
  STRIPE_PUBLISHABLE_KEY: [/^pk_(test|live)_\w+$/, 'pk_test_ or pk_live_'],
  STRIPE_WEBHOOK_SECRET: [/^whsec_[\w+/=]+$/, 'whsec_'],
} as const;

/** Whether a key belongs to the test mode of Stripe, in which no money moves. */
export const isStripeTest = (key: string | undefined): boolean => /^[a-z]+_test_/.test(key ?? '');

/** What is wrong with PAYMENTS=stripe, a line for each setting, written for the operator; null when nothing is. Values are secret. */
export function whyNotStripe(given: StripeGiven & { PAYMENTS?: string | undefined }): string | null {
  if (given.PAYMENTS !== 'stripe') return null;
  const wrong = Object.entries(shapes).flatMap(([name, [shape, begins]]) => {
    const value = given[name as keyof typeof shapes];
    if (value === undefined) return `PAYMENTS=stripe needs ${name}: a key that begins with ${begins}.`;
    return shape.test(value) ? [] : `${name} is not such a key: use one that begins with ${begins}.`;
  });
  if (wrong.length > 0) return wrong.join('\n');
  return isStripeTest(given.STRIPE_SECRET_KEY) === isStripeTest(given.STRIPE_PUBLISHABLE_KEY)
    ? null
    : 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: use two test keys or two live keys.';
}
