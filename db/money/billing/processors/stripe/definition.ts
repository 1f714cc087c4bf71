import type { Processor } from '../processor.ts';

/** Its script and its frames come from Stripe itself. By docs.stripe.com/security/guide#content-security-policy. */
const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com'];

/** The id of a card that was entered and confirmed at Stripe. */
const confirmed_id = /^seti_\w{1,200}$/;
export const isConfirmed = (text: string): boolean => confirmed_id.test(text);

/** Stripe as pages know it, without its library. */
export const stripe: Processor = {
  brand: 'Stripe',
  platform: 'Stripe',
  paymentPage: (intent_id) => `https://dashboard.stripe.com/payments/${intent_id}`,
  browser: {
    sources: {
      script: scripts,
      frame: [...scripts, 'https://hooks.stripe.com'],
      connect: ['https://api.stripe.com'],
    },
    payment: ['https://js.stripe.com'],
    entered: (text) => (isConfirmed(text) ? { card: null, method: () => ({ confirmed: text }) } : null),
  },
};
