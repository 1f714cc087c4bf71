import type { MessageKey } from '#content/messages.ts';
import type { Step } from './order-state.ts';

/** Where a refused order is corrected: the step, the field in it (null for the whole step), the message. */
interface Reason {
  step: Step;
  field: string | null;
  text: MessageKey;
}
const reasons: Readonly<Record<string, Reason>> = {
  plan_unknown: { step: 'plan', field: null, text: 'buying.order_failed' },
  plan_ram: { step: 'plan', field: null, text: 'buying.order_failed' },
  trial_used: { step: 'plan', field: null, text: 'error.trial_used' },
  trial_network_limit: { step: 'plan', field: null, text: 'error.trial_network_limit' },
  region_unknown: { step: 'region', field: null, text: 'buying.order_failed' },
  out_of_stock: { step: 'region', field: null, text: 'buying.gone' },
  payment_declined: { step: 'payment', field: null, text: 'buying.declined' },
  card_unknown: { step: 'payment', field: null, text: 'error.card_unknown' },
  card_expired: { step: 'payment', field: null, text: 'error.card_expired' },
  card_required: { step: 'payment', field: null, text: 'error.card_required' },
  terms_required: { step: 'review', field: 'terms', text: 'error.terms_required' },
  server_name_length: { step: 'review', field: 'name', text: 'error.server_name_length' },
  server_version_unknown: { step: 'review', field: 'game_version', text: 'buying.version_unknown' },
  server_loader_unknown: { step: 'review', field: 'loader', text: 'buying.version_unknown' },
  email_unverified: { step: 'review', field: null, text: 'error.email_unverified' },
  server_unreachable: { step: 'review', field: null, text: 'error.server_unreachable' },
  server_suspended: { step: 'review', field: null, text: 'error.server_suspended' },
  server_not_ready: { step: 'review', field: null, text: 'error.server_not_ready' },
  payments_off: { step: 'review', field: null, text: 'error.payments_off' },
};

export const reasonOf = (code: string): Reason =>
  (Object.hasOwn(reasons, code) && reasons[code]) || {
    step: 'review',
    field: null,
    text: 'buying.order_failed',
  };
