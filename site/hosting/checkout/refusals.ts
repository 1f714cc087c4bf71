import type { Step } from './order-state.ts';

/** The step where the user corrects a refused order; every other refusal belongs to the last step. */
const steps: Readonly<Record<string, Step>> = {
  plan_unknown: 'plan',
  plan_ram: 'plan',
  trial_used: 'plan',
  trial_network_limit: 'plan',
  region_unknown: 'region',
  out_of_stock: 'region',
  payment_declined: 'payment',
  card_unknown: 'payment',
  card_expired: 'payment',
  card_required: 'payment',
  method_unconfirmed: 'payment',
  payment_method_not_found: 'payment',
  payment_methods_limit: 'payment',
  payment_tries_limit: 'payment',
};

export const stepOf = (code: string): Step => (Object.hasOwn(steps, code) ? steps[code]! : 'review');
