import type Stripe from 'stripe';
import type { Settings } from '../../../../platform/runtime/env.ts';
import { isStripeTest } from '../../../../platform/runtime/settings/stripe.ts';
import type { Payments } from '../../payments.ts';
import { charge, refund, retrieve } from './charge.ts';
import { feeOf } from './fees.ts';
import { list } from './list.ts';
import { beginMethod, forgetCustomer, forgetMethod, openCustomer, resolveMethod } from './methods.ts';
import { cancel, payInstead } from './waiting.ts';
import { verify } from './webhook.ts';

/** How long a buyer waits for an answer of Stripe; after that a webhook or a later run tells. */
const patience_ms = 10_000;

/**
 * Stripe by its official library, which is loaded when it is first needed: it takes 25 MB. With test keys it has another
 * name, so that customers, charges and the ledger of the two modes never mix.
 */
export function stripePayments(
  settings: Pick<Settings, 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_URL'>,
  { timeout = patience_ms } = {},
): Payments {
  const { STRIPE_SECRET_KEY: key = '', STRIPE_WEBHOOK_SECRET: given = '', STRIPE_API_URL } = settings;
  const test = isStripeTest(key);
  let loaded: Promise<Stripe> | undefined;
  const client = (): Promise<Stripe> => {
    loaded ??= import('stripe').then(
      ({ default: Library }) =>
        new Library(key, { timeout, telemetry: false, maxNetworkRetries: 1, ...hostOf(STRIPE_API_URL) }),
    );
    return loaded;
  };
  return {
    name: test ? 'stripe_test' : 'stripe',
    enabled: true,
    test,
    webhook: { header: 'stripe-signature', key: { given } },
    openCustomer: async (user_id) => await openCustomer(await client(), user_id),
    beginMethod: async (customer) => await beginMethod(await client(), customer),
    resolveMethod: async (method, customer, now) =>
      await resolveMethod(await client(), method, customer, now),
    forgetMethod: async (reference) => await forgetMethod(await client(), reference),
    forgetCustomer: async (customer) => await forgetCustomer(await client(), customer),
    async *list(from, until) {
      yield* list(await client(), from, until);
    },
    charge: async (ask) => await charge(await client(), ask),
    retrieve: async (intent_id, now) => (await retrieve(await client(), intent_id, now)).outcome,
    payInstead: async (ask) => await payInstead(await client(), ask),
    cancel: async (intent_id) => await cancel(await client(), intent_id),
    feeOf: async (intent_id) => await feeOf(await client(), intent_id),
    refund: async (ask) => await refund(await client(), ask),
    verify: async (secret, signature, body, now) =>
      await verify(await client(), secret, signature, body, now),
  };
}

/** Where Stripe is asked instead of at its own address. */
function hostOf(address: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (!address) return {};
  const { protocol, hostname, port } = new URL(address);
  const secure = protocol === 'https:';
  return { host: hostname, port: port || (secure ? 443 : 80), protocol: secure ? 'https' : 'http' };
}
