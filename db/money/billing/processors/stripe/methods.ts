import type Stripe from 'stripe';
import { Refused } from '../../../../platform/errors.ts';
import type { Method, NewMethod } from '../../payments.ts';
import { isExpired } from '../../rules.ts';
import { isConfirmed } from './definition.ts';
import { isFailure, unreachable } from './outcome.ts';

/** Cards as people name them; others keep Stripe's name. */
const brands: Readonly<Record<string, string>> = {
  ...{
    amex: 'American Express',
    diners: 'Diners Club',
    discover: 'Discover',
    eftpos_au: 'eftpos',
    jcb: 'JCB',
  },
  ...{ link: 'Link', mastercard: 'Mastercard', unionpay: 'UnionPay', visa: 'Visa' },
};

/** Opens a customer. Nothing personal is sent: the account's own id leads back to it. */
export async function openCustomer(stripe: Stripe, user_id: string): Promise<string> {
  const options = { idempotencyKey: `customer-${user_id}` };
  const { id } = await stripe.customers
    .create({ metadata: { cairn_user: user_id } }, options)
    .catch((error: unknown) => Promise.reject(unreachable(error)));
  return id;
}

/** Deletes a customer with its cards; what was paid stays in Stripe's books. One that is gone already is fine. */
export async function forgetCustomer(stripe: Stripe, customer: string): Promise<void> {
  try {
    await stripe.customers.del(customer);
  } catch (error) {
    if (isFailure(error) && error.type === 'StripeInvalidRequestError') return;
    throw unreachable(error);
  }
}

/** Begins a card that the browser enters at Stripe, to be charged later without its holder too. */
export async function beginMethod(stripe: Stripe, customer: string): Promise<string> {
  const { client_secret } = await stripe.setupIntents
    .create({ customer, usage: 'off_session', allowed_payment_method_types: ['card'] })
    .catch((error: unknown) => Promise.reject(unreachable(error)));
  return client_secret!;
}

/** The card that a browser confirmed with a setup intent of this customer, see `Payments.resolveMethod`. */
export async function resolveMethod(
  stripe: Stripe,
  given: NewMethod,
  customer: string | null,
  now: Date,
): Promise<Method> {
  if ('number' in given) throw new Refused('card_required');
  if (!isConfirmed(given.confirmed)) throw new Refused('method_unconfirmed');
  const intent = await stripe.setupIntents
    .retrieve(given.confirmed, { expand: ['payment_method'] })
    .catch((error: unknown) => {
      const unknown = isFailure(error) && error.type === 'StripeInvalidRequestError';
      throw unknown ? new Refused('method_unconfirmed') : unreachable(error);
    });
  const method = intent.payment_method;
  // a confirmed intent of somebody else is none
  if (intent.status !== 'succeeded' || intent.customer !== customer || !method || typeof method === 'string')
    throw new Refused('method_unconfirmed');
  if (!method.card) throw new Refused('method_unconfirmed');
  const { brand, last4, exp_month, exp_year, fingerprint = null } = method.card;
  if (isExpired({ expires_month: exp_month, expires_year: exp_year }, now)) throw new Refused('card_expired');
  return {
    reference: method.id,
    brand: brands[brand] ?? brand,
    last_four: last4,
    expires_month: exp_month,
    expires_year: exp_year,
    fingerprint,
  };
}

/** Takes a card off its customer, so that it cannot be charged again; one that is off already is fine. */
export async function forgetMethod(stripe: Stripe, reference: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(reference);
  } catch (error) {
    // never attached, detached, or unknown: what was wanted
    if (isFailure(error) && error.type === 'StripeInvalidRequestError') return;
    throw unreachable(error);
  }
}
