import type { Translate } from '#content/messages.ts';
import type { SubscriptionState } from '#db/money/billing/rules.ts';
import type { SubscriptionView } from '#db/money/billing/view.ts';
import { bidiIsolated } from '../../../platform/text/bidi.ts';

/** The color of a subscription's state. */
export const stateTones = {
  pending: 'note',
  active: 'good',
  failed: 'bad',
  cancelled: 'warn',
  grace: 'bad',
  ended: 'note',
} as const satisfies Record<SubscriptionState, string>;

/** A subscription's state in words; `day` writes a moment as a date. */
export function stateText(
  t: Translate,
  {
    state,
    term,
    grace_until,
    period_end,
  }: Pick<SubscriptionView, 'state' | 'term' | 'grace_until' | 'period_end'>,
  day: (moment: string) => string,
): string {
  const until = state === 'grace' ? grace_until : period_end;
  const date = until ? bidiIsolated(day(until)) : '';
  switch (state) {
    case 'pending':
      return t('buying.state_pending');
    case 'active':
      return term === 'trial' ? t('buying.state_trial', { date }) : t('buying.state_active', { date });
    case 'failed':
      return t('buying.state_failed');
    case 'cancelled':
      return t('buying.state_cancelled', { date });
    case 'grace':
      return t('buying.state_grace', { date });
    case 'ended':
      return t('buying.state_ended');
  }
}
