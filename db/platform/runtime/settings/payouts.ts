import { z } from 'zod';
import { address, type Setting } from './shapes.ts';

const names = ['paypal', 'tremendous', 'bank', 'test'] as const;
export type PayoutName = (typeof names)[number];

const isName = (text: string): text is PayoutName => (names as readonly string[]).includes(text);

/** `off`, `test` by itself, or several others. */
const isList = (parts: string[]): boolean =>
  parts.length > 0 &&
  new Set(parts).size === parts.length &&
  (parts.length === 1
    ? parts[0] === 'off' || isName(parts[0]!)
    : parts.every((one) => isName(one) && one !== 'test'));

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/)
  .describe('the key as the provider shows it, without spaces');

/** Account numbers are checked when they are used: the registry of IBANs takes 100 KB. */
const compact = (text: string): string => text.replace(/\s+/g, '').toUpperCase();

/** Accounts by which creators are paid. Each provider is used when PAYOUTS names it. */
const accounts = {
  PAYPAL_CLIENT_ID: { shape: key },
  PAYPAL_CLIENT_SECRET: { shape: key, secret: true },
  PAYPAL_WEBHOOK_ID: { shape: key },
  PAYPAL_API_URL: { shape: address },
  TREMENDOUS_API_KEY: { shape: key, secret: true },
  TREMENDOUS_FUNDING_SOURCE: { shape: key },
  TREMENDOUS_CAMPAIGN_ID: { shape: key },
  TREMENDOUS_WEBHOOK_KEY: { shape: key, secret: true },
  TREMENDOUS_API_URL: { shape: address },
  BANK_DEBTOR_NAME: {
    shape: z
      .string()
      .regex(/^[^\p{Cc}]{1,70}$/u)
      .describe('the name of the account’s owner, up to 70 characters'),
  },
  BANK_DEBTOR_IBAN: {
    shape: z
      .string()
      .transform(compact)
      .refine((text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text))
      .describe('an IBAN'),
  },
  BANK_DEBTOR_BIC: {
    shape: z
      .string()
      .transform(compact)
      .refine((text) => /^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/.test(text))
      .describe('a BIC of 8 or 11 letters and digits'),
  },
  BANK_CURRENCY: { shape: z.enum(['EUR', 'USD']).describe('EUR or USD'), default: 'EUR' },
  BANK_EXCHANGE_RATE: {
    shape: z
      .string()
      .regex(/^(?=.*[1-9])\d{1,4}(\.\d{1,6})?$/)
      .describe('how many of the currency are one dollar, such as 0.92'),
  },
} satisfies Record<string, Setting>;

/** Who pays creators, and the accounts for it. */
export const payoutSettings = {
  PAYOUTS: {
    shape: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine(isList)
      .transform((parts) => parts.filter(isName))
      .describe('off, test, or some of paypal, tremendous and bank with commas between'),
  },
  ...accounts,
} satisfies Record<string, Setting>;

type Name = keyof typeof accounts;
type Given = Partial<Record<Name, string | undefined>>;

/** What each provider cannot do without. */
const needed: Record<'paypal' | 'tremendous' | 'bank', readonly [name: Name, what: string][]> = {
  paypal: [
    ['PAYPAL_CLIENT_ID', 'the client id of your app at PayPal'],
    ['PAYPAL_CLIENT_SECRET', 'the secret of your app at PayPal'],
    ['PAYPAL_WEBHOOK_ID', 'the id that PayPal gave to your webhook'],
  ],
  tremendous: [
    ['TREMENDOUS_API_KEY', 'an API key of your organization at Tremendous'],
    ['TREMENDOUS_FUNDING_SOURCE', 'the id of a funding source, or balance'],
    ['TREMENDOUS_WEBHOOK_KEY', 'the private key of your webhook'],
  ],
  bank: [
    ['BANK_DEBTOR_NAME', 'the name of the account’s owner'],
    ['BANK_DEBTOR_IBAN', 'the IBAN of the account that pays'],
  ],
};

/**
 * What is missing of the providers that are used (`PAYOUTS`), a line for each setting, written for the operator; null when
 * nothing is.
 */
export function whyNotPayouts(used: readonly string[], given: Given): string | null {
  const missing = used.flatMap((provider) =>
    (needed[provider as keyof typeof needed] ?? [])
      .filter(([name]) => !given[name])
      .map(([name, what]) => `PAYOUTS=${provider} needs ${name}: ${what}.`),
  );
  return missing.length > 0 ? missing.join('\n') : null;
}
