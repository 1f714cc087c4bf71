import type { MessageKey, Translate } from '#content/messages.ts';
import type { SandboxOutcome } from '#db/billing/processors/sandbox-cards.ts';
import type { Interval, Plan, Term } from '#db/billing/rules.ts';
import type { PriceLabels } from './price.ts';

/** The labels of plans, regions and intervals. */

export const planNames: Record<Plan, MessageKey> = {
  small: 'buying.small',
  medium: 'buying.medium',
  large: 'buying.large',
  custom: 'buying.custom',
  trial: 'buying.trial',
};
export const intervalNames: Record<Interval, MessageKey> = {
  monthly: 'buying.monthly',
  quarterly: 'buying.quarterly',
  yearly: 'buying.yearly',
};
export const savings: Record<Interval, MessageKey | null> = {
  monthly: null,
  quarterly: 'buying.quarterly_saves',
  yearly: 'buying.yearly_saves',
};
export const eachNames: Record<Interval, MessageKey> = {
  monthly: 'buying.each_monthly',
  quarterly: 'buying.each_quarterly',
  yearly: 'buying.each_yearly',
};
/** How prices are written; shared with a script, which fills the placeholders in. */
export const priceLabels = (t: Translate): PriceLabels => ({
  each: {
    monthly: t(eachNames.monthly),
    quarterly: t(eachNames.quarterly),
    yearly: t(eachNames.yearly),
  },
  monthly: t('buying.price_and_monthly', { price: '{price}', monthly: '{monthly}' }),
});
export const lineNames: Record<Term, MessageKey> = {
  monthly: 'buying.line_monthly',
  quarterly: 'buying.line_quarterly',
  yearly: 'buying.line_yearly',
  trial: 'buying.line_trial',
};
export const thenNames: Record<Term, MessageKey> = {
  monthly: 'buying.then_monthly',
  quarterly: 'buying.then_quarterly',
  yearly: 'buying.then_yearly',
  trial: 'buying.then_trial',
};
export const renewNames: Record<Term, MessageKey> = {
  monthly: 'buying.renews_monthly',
  quarterly: 'buying.renews_quarterly',
  yearly: 'buying.renews_yearly',
  trial: 'buying.renews_never',
};
export const cardDoes: Record<SandboxOutcome, MessageKey> = {
  succeeds: 'buying.card_succeeds',
  declined: 'buying.card_declined',
  insufficient_funds: 'buying.card_insufficient_funds',
  fails_later: 'buying.card_fails_later',
  needs_time: 'buying.card_needs_time',
};
