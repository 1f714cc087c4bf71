import type { RefusalCode } from '#db/platform/errors.ts';
import { type MessageKey, messages } from './messages.ts';

interface StepDefinition {
  text: MessageKey;
  /** A path of ours. One that ends with `redirect=` leads back; `{server_id}` is a value of the refusal. */
  to: string;
}

/** What somebody can do about a refusal, as the button beside it. */
export interface RefusalStep {
  text: string;
  /** A path of ours; one that ends with `redirect=` takes the path that it leads back to (`stepPath`). */
  to: string;
}

const verify = { text: 'create.verify_open', to: '/auth/verify-email?redirect=' } as const;
const signIn = { text: 'shell.step_sign_in', to: '/auth/sign-in?again=1&redirect=' } as const;
const tax = { text: 'shell.step_tax', to: '/dashboard/revenue/tax' } as const;
const billing = { text: 'shell.step_billing', to: '/settings/billing' } as const;

/**
 * The next step of every refusal that a person can resolve elsewhere on the site: one table for toasts, forms, panels and
 * programs. A refusal that is about a field is resolved in its form and needs none.
 */
export const refusalSteps: Partial<Record<RefusalCode, StepDefinition>> = {
  authentication_required: signIn,
  token_invalid: signIn,
  scope_missing: signIn,
  proof_required: { text: 'shell.step_confirm', to: '/auth/confirm?redirect=' },
  email_unverified: verify,
  payout_email_unverified: verify,
  email_unverified_no_mail: { text: 'shell.step_who_verifies', to: '/settings/account#email-section' },
  mail_off: { text: 'shell.step_who_verifies', to: '/settings/account#email-section' },
  no_email: { text: 'shell.step_add_email', to: '/settings/account#email-section' },
  payments_off: { text: 'shell.step_operator', to: '/legal/terms' },
  subdomains_off: { text: 'shell.step_domain', to: '/servers/manage/{server_id}/options/network' },
  sftp_off: { text: 'shell.step_files', to: '/servers/manage/{server_id}/files' },
  server_suspended: { text: 'shell.step_server_billing', to: '/servers/manage/{server_id}/options/billing' },
  payouts_off: { text: 'shell.step_revenue', to: '/dashboard/revenue' },
  user_has_payouts: { text: 'shell.step_payouts', to: '/dashboard/revenue/transfers' },
  payout_address_missing: { text: 'shell.step_withdraw', to: '/dashboard/revenue/withdraw' },
  tax_form_required: tax,
  tax_number_mismatch: tax,
  card_required: billing,
  card_expired: billing,
  payment_methods_limit: billing,
  subscription_unpaid: billing,
  plus_owned: { text: 'shell.step_plus', to: '/settings/billing/plus' },
  plus_unknown: { text: 'shell.step_buy_plus', to: '/plus' },
  two_factor_off: { text: 'shell.step_protection', to: '/settings/account' },
  too_many_tokens: { text: 'shell.step_tokens', to: '/settings/pats' },
  too_many_applications: { text: 'shell.step_applications', to: '/settings/applications' },
  too_many_passkeys: { text: 'shell.step_protection', to: '/settings/account' },
};

/** The next step of a refusal in the language `locale`; null where there is none, or where its path needs a value it lacks. */
export function refusalStep(
  code: string | undefined,
  locale: string,
  data: Readonly<Record<string, unknown>> = {},
): RefusalStep | null {
  const step = code !== undefined && Object.hasOwn(refusalSteps, code) && refusalSteps[code as RefusalCode];
  if (!step) return null;
  const to = step.to.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = data[name];
    return typeof value === 'string' ? encodeURIComponent(value) : whole;
  });
  return to.includes('{') ? null : { text: messages(locale).t(step.text), to };
}
