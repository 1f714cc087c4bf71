import { once } from './format.ts';

/** What money needs of the texts of a page or an island. */
interface MoneyTexts {
  formatting: string;
  t(key: 'format.thousands' | 'format.millions', values: { number: string }): string;
}

/**
 * For statistics only, such as the axis of a chart: amounts that are paid, earned or withdrawn are never shortened
 * (`servers/checkout/price.ts`). `cents` US cents (fractions allowed, floored to whole ones) as dollars, with the sign where the language puts it:
 * `$12.34`, from 10,000 dollars `$12.34k`, from 1,000,000 `$1.23M`. Source: specification §9; screens §A.0, §A.10 (row
 * 23).
 */
export function money(messages: MoneyTexts, cents: number): string {
  const dollars = Math.floor(cents) / 100;
  const size = Math.abs(dollars);
  if (size >= 1_000_000) return inDollars(messages, dollars / 1_000_000, 'format.millions');
  if (size >= 10_000) return inDollars(messages, dollars / 1000, 'format.thousands');
  return inDollars(messages, dollars, null);
}

function inDollars(
  { formatting, t }: MoneyTexts,
  number: number,
  unit: 'format.thousands' | 'format.millions' | null,
): string {
  const parts = once(
    `${formatting} dollars`,
    () =>
      new Intl.NumberFormat(formatting, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        roundingMode: 'floor',
      }),
  ).formatToParts(number);
  const isDigit = ({ type }: Intl.NumberFormatPart) =>
    ['integer', 'group', 'decimal', 'fraction'].includes(type);
  const digits = parts.filter(isDigit).map(({ value }) => value);
  const displayed = unit ? t(unit, { number: digits.join('') }) : digits.join('');
  return parts
    .map((part) => (part.type === 'fraction' ? displayed : isDigit(part) ? '' : part.value))
    .join('');
}
