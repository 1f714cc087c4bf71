import type { Messages, Translate } from '#content/messages.ts';
import { isExpired } from '#db/money/billing/rules.ts';
import type { MethodView } from '#db/money/billing/view.ts';

/** A card that a form offers: `value` is what the field `card` of the form sends for it. */
export interface CardOption {
  value: string;
  brand: string;
  last_four: string;
  note: string;
  /** Its newest payment failed. */
  declined: boolean;
}

/** How the field `card` names a saved payment method. */
export const savedValue = (id: string): string => `saved-${id}`;

/**
 * Saved cards as options in their order, the primary one first; those that expired are left out. The one that pays for the
 * server of `current` now comes first, or last when it was declined.
 */
export function savedOptions(
  { t, messages, now }: { t: Translate; messages: Pick<Messages, 'formatting'>; now: Date },
  methods: readonly MethodView[],
  current: { server_id: string; declined: boolean } | null = null,
): CardOption[] {
  const month = new Intl.DateTimeFormat(messages.formatting, {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
  } as const);
  const isCurrent = ({ pays_for }: MethodView) =>
    Number(current !== null && pays_for.some(({ server_id }) => server_id === current.server_id));
  return methods
    .filter((method) => !isExpired(method, now))
    .sort((one, other) => (isCurrent(other) - isCurrent(one)) * (current?.declined ? -1 : 1))
    .map((method) => {
      const { id, brand, last_four, expires_month, expires_year, is_primary, declined } = method;
      const ends = month.format(new Date(Date.UTC(expires_year, expires_month, 0)));
      const expires = t('billing.expires', { month: ends });
      const failed = declined || (isCurrent(method) > 0 && current?.declined === true);
      const notes = [
        isCurrent(method) > 0 && !current?.declined && t('buying.card_current'),
        failed && t('buying.card_was_declined'),
        is_primary && t('billing.primary'),
        expires,
      ];
      const note = notes.filter(Boolean).join(' · ');
      return { value: savedValue(id), brand, last_four, note, declined: failed };
    });
}
