import type { Settings } from '../../../platform/runtime/env.ts';
import { isTestProcessor } from '../payments.ts';
import { type EnteredMethod, noBrowserPart, type Processor } from './processor.ts';
import { sandbox } from './sandbox-definition.ts';
import { stripe } from './stripe/definition.ts';

/** Every payment processor by its name in PAYMENTS. `select.ts` opens the one that this installation uses. */
export const processors: Readonly<Record<Settings['PAYMENTS'], Processor>> = {
  test: sandbox,
  stripe,
  off: { brand: null, platform: 'None', paymentPage: null, browser: noBrowserPart },
};

/** The processor that is stored with charges by this name, in either of its modes; null for one that this version does not know. */
function processorNamed(stored: string): Processor | null {
  const name = stored.replace(/_test$/, '');
  return Object.hasOwn(processors, name) ? processors[name as keyof typeof processors] : null;
}

/** How the public API calls the processor of a charge. */
export const platformOf = (stored: string): Processor['platform'] =>
  processorNamed(stored)?.platform ?? 'None';

/** The own name of a processor at which money moves; null for any other. */
export const brandOf = (stored: string): string | null =>
  isTestProcessor(stored) ? null : (processorNamed(stored)?.brand ?? null);

/** Where staff see a payment at a processor at which money moves; null where it has no such page. */
export const paymentPageOf = (stored: string, intent_id: string | null): string | null =>
  intent_id === null || isTestProcessor(stored)
    ? null
    : (processorNamed(stored)?.paymentPage?.(intent_id) ?? null);

/** The payment method that a field names as one that was entered in the form of a processor; null for anything else. */
export function enteredMethod(text: string | null | undefined): EnteredMethod | null {
  if (!text) return null;
  const found = Object.values(processors).map(({ browser }) => browser.entered(text));
  return found.find((one) => one !== null) ?? null;
}
