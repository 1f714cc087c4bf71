import { z } from 'zod';
import { address } from './setting-shapes.ts';

/** Accounts by which creators are paid, part of `settingsSchema`. Each provider is used when PAYOUTS names it. */

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,300}$/)
  .optional()
  .describe('the key as the provider shows it, without spaces');

/** Account numbers are checked when they are used: the registry of IBANs takes 100 KB. */
const compact = (text: string): string => text.replace(/\s+/g, '').toUpperCase();

export const payoutProviderSettings = {
  PAYPAL_CLIENT_ID: key,
  PAYPAL_CLIENT_SECRET: key,
  PAYPAL_WEBHOOK_ID: key,
  PAYPAL_API_URL: address.optional(),
  TREMENDOUS_API_KEY: key,
  TREMENDOUS_FUNDING_SOURCE: key,
  TREMENDOUS_CAMPAIGN_ID: key,
  TREMENDOUS_WEBHOOK_KEY: key,
  TREMENDOUS_API_URL: address.optional(),
  BANK_DEBTOR_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,70}$/u)
    .optional()
    .describe('the name of the account’s owner, up to 70 characters'),
  BANK_DEBTOR_IBAN: z
    .string()
    .transform(compact)
    .refine((text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text))
    .optional()
    .describe('an IBAN'),
  BANK_DEBTOR_BIC: z
    .string()
    .transform(compact)
    .refine((text) => /^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/.test(text))
    .optional()
    .describe('a BIC of 8 or 11 letters and digits'),
  BANK_CURRENCY: z.enum(['EUR', 'USD']).default('EUR').describe('EUR or USD'),
  BANK_EXCHANGE_RATE: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,4}(\.\d{1,6})?$/)
    .optional()
    .describe('how many of the currency are one dollar, such as 0.92'),
};

type Given = Partial<Record<keyof typeof payoutProviderSettings, string | undefined>>;
type Name = keyof typeof payoutProviderSettings;

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
