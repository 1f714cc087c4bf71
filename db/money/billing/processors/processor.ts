import type { NewMethod } from '../payments.ts';

/** A payment method that was entered in the form of a processor, as the field of that form names it. */
export interface EnteredMethod {
  /** How it is called; null where the field does not say it. */
  card: { brand: string; digits: string } | null;
  method: (now: Date) => NewMethod;
}

/** What the browser of a payer needs. Components and scripts are in `site/hosting/checkout/processors`. */
export interface BrowserPart {
  /** Origins that a page with the form of the processor uses, by directive of its content security policy. */
  sources: Readonly<Record<'script' | 'frame' | 'connect', readonly string[]>>;
  /** Origins that may ask the browser for a payment. */
  payment: readonly string[];
  /** What the field of the form says; null for a text that the form does not send. */
  entered: (text: string) => EnteredMethod | null;
}

/** What is known of a payment processor without asking it, whether it is the one of this installation or not. */
export interface Processor {
  /** Its own name; null for one that has a text (`ledger.service_…`). */
  brand: string | null;
  /** How the public API calls it, which knows no other. */
  platform: 'Stripe' | 'None';
  /** Where it shows a payment to staff; null where it does not. */
  paymentPage: ((intent_id: string) => string) | null;
  browser: BrowserPart;
}

/** A browser that needs nothing of a processor. */
export const noBrowserPart: BrowserPart = {
  sources: { script: [], frame: [], connect: [] },
  payment: [],
  entered: () => null,
};
