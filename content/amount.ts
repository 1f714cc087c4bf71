import type { Messages } from './messages.ts';

/** `amount` in minor units of `currency`, as mails and notifications write it. */
export function amountText(
  { formatting }: Pick<Messages, 'formatting'>,
  amount: number,
  currency: string,
): string {
  const format = new Intl.NumberFormat(formatting, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
