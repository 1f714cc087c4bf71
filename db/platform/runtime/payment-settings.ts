import type { z } from 'zod';
import { oneOf } from './setting-shapes.ts';
import { isStripeTest, type StripeGiven, stripeSettings, whyNotStripe } from './stripe-settings.ts';

/** The payment processor by which servers and Plus are sold, part of `settingsSchema`, with the settings of each. */

const name = oneOf('test', 'stripe', 'off');
export type PaymentName = z.output<typeof name>;

export const paymentSettings = { PAYMENTS: name.optional(), ...stripeSettings };

type Given = StripeGiven & { PAYMENTS?: PaymentName | undefined };

interface ProcessorSettings {
  /** What is wrong with its settings, a line for each, written for the operator; null when nothing is. */
  whyNot: ((given: Given) => string | null) | null;
  /** Whether no money moves at it. */
  isTest: (given: Given) => boolean;
}

const processors: Readonly<Record<PaymentName, ProcessorSettings>> = {
  test: { whyNot: null, isTest: () => true },
  stripe: { whyNot: whyNotStripe, isTest: ({ STRIPE_SECRET_KEY: key }) => isStripeTest(key) },
  off: { whyNot: null, isTest: () => false },
};

/** What is wrong with the settings of the processor that PAYMENTS names; null when nothing is. */
export const whyNotPayments = (given: Given): string | null =>
  given.PAYMENTS === undefined ? null : (processors[given.PAYMENTS].whyNot?.(given) ?? null);

/** Whether no money moves at the processor that is used: that of tests, or another one with keys for tests. */
export const movesNoMoney = (used: PaymentName, given: Given): boolean => processors[used].isTest(given);
