import type { MessageKey, Messages, Translate } from '#content/messages.ts';
import type { Resources } from '#db/hosting/servers/capacity.ts';
import type { Interval, Plan, Term } from '#db/money/billing/rules.ts';
import { exactNumber } from '../../platform/text/format.ts';
import type { PriceLabels } from './price.ts';

/** The labels of plans, regions and intervals. */

export const planNames: Record<Plan, MessageKey> = {
  small: 'buying.small',
  medium: 'buying.medium',
  large: 'buying.large',
  custom: 'buying.custom',
  trial: 'buying.trial',
};
/** The memory of a plan, such as `4 GB`. */
export const planMemory = (messages: Messages, { ram_mb }: Pick<Resources, 'ram_mb'>): string =>
  messages.t('buying.gb', { number: exactNumber(messages, ram_mb / 1024) });

/** What somebody has bought: a plan by the name that they chose, a custom one with its memory. */
export const planText = (messages: Messages, { plan, ram_mb }: { plan: Plan; ram_mb: number }): string =>
  plan === 'custom'
    ? messages.t('buying.plan_size', {
        plan: messages.t(planNames.custom),
        size: planMemory(messages, { ram_mb }),
      })
    : messages.t(planNames[plan]);

/** What a size has: memory, shared cores and storage. */
export function planSize(messages: Messages, { ram_mb, cpu_millis, disk_mb }: Resources): string {
  const [ram, storage] = [ram_mb, disk_mb].map((mb) => exactNumber(messages, mb / 1024)) as [string, string];
  return messages.t('buying.size', { ram, cores: cpu_millis / 1000, storage });
}
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
