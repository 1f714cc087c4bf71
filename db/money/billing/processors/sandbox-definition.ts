import { noBrowserPart, type Processor } from './processor.ts';
import { sandboxChoices } from './sandbox-cards.ts';

/** The sandbox as pages know it: its cards are named by their last digits, and expire late enough for every test. */
export const sandbox: Processor = {
  brand: null,
  platform: 'None',
  paymentPage: null,
  browser: {
    ...noBrowserPart,
    entered(text) {
      const card = sandboxChoices.find(({ digits }) => digits === text);
      if (!card) return null;
      const { number, brand, digits } = card;
      return {
        card: { brand, digits },
        method: (now) => ({ number, expires_month: 12, expires_year: now.getUTCFullYear() + 5 }),
      };
    },
  },
};
