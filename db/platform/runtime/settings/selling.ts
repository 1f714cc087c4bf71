import { z } from 'zod';
import { line, oneOf, type Setting } from './shapes.ts';
import { isStripeTest, type StripeGiven, stripeSettings, whyNotStripe } from './stripe.ts';

interface RegionPing {
  region: string;
  address: string;
}

/** `region=address` with commas between; an address may contain `=`. */
const regionPingsOf = (text: string): RegionPing[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return { region: part.slice(0, at), address: part.slice(at + 1) };
    });

/** Regions that are not sold are never asked for. */
const isRegionPing = ({ region, address }: RegionPing): boolean =>
  /^[a-z]+(-[a-z]+)*$/.test(region) && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

const processor = oneOf('test', 'stripe', 'off');
export type PaymentName = z.output<typeof processor>;

/** The payment processor by which servers and Plus are sold, to whom, and what invoices say. */
export const sellingSettings = {
  PAYMENTS: { shape: processor },
  ...stripeSettings,
  REGION_PINGS: {
    shape: z
      .string()
      .transform(regionPingsOf)
      .refine((pings) => pings.length <= 10 && pings.every(isRegionPing))
      .describe('region=address with commas between, such as western-europe=https://ping.example.org/'),
    default: '',
  },
  COUNTRY_HEADER: {
    shape: z
      .string()
      .toLowerCase()
      .regex(/^[a-z][a-z0-9-]{0,63}$/)
      .describe('the name of a header, such as CF-IPCountry'),
  },
  INVOICE_NAME: { shape: line },
  INVOICE_ADDRESS: { shape: line },
  INVOICE_TAX_ID: { shape: line },
  INVOICE_TAX_NAME: { shape: line, default: 'VAT' },
  INVOICE_TAX_PERCENT: {
    shape: z
      .string()
      .regex(/^\d{1,2}(\.\d{1,3})?$/)
      .describe('a number below 100 with at most three decimals, such as 19 or 8.1'),
  },
  INVOICE_PREFIX: {
    shape: z
      .string()
      .regex(/^[A-Za-z0-9/-]{0,20}$/)
      .describe('at most 20 letters, digits, hyphens and slashes'),
    default: '',
  },
} satisfies Record<string, Setting>;

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
