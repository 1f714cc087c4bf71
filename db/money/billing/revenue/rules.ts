import type { RefusalCode } from '../../../platform/errors.ts';

/** From whom income comes: ad networks, and the half of Plus that goes to creators. */
export const incomeSources = ['ads', 'plus'] as const;
export type IncomeSource = (typeof incomeSources)[number];

/** Creators' money has one currency. */
export const revenueCurrency = 'USD';

/** Millionths of a dollar in one minor unit: shares are smaller than what can be paid. */
export const microsPerMinor = 10_000;

/** Minor units of one entry of income: a million dollars a day are a mistake. */
export const maxIncome = 100_000_000;

/** Impressions of one entry. */
export const maxImpressions = 10_000_000_000;

/** How many percent of a source creators get. Of Plus, only their half is entered. Source: screens §A.6 (revenue maths). */
const shared_percent: Record<IncomeSource, number> = { ads: 75, plus: 100 };

/** Days from the first of the next month to the release of a month. Source: screens §A.6. */
const release_days = 59;

const day_ms = 86_400_000;
const day_format = /^\d{4}-\d{2}-\d{2}$/;

/** A new entry of income. */
export interface NewIncome {
  /** In UTC, such as `2026-11-27`. */
  day: string;
  source: IncomeSource;
  amount_minor: number;
  impressions: number;
}

/** Why income cannot be entered: days that are not over yet in UTC, none before 2000, and amounts that are a mistake. */
export function whyNotIncome(
  { day, amount_minor, impressions }: NewIncome,
  fees_minor: number,
  now: Date,
): RefusalCode | null {
  const at = day_format.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at) || dayOf(new Date(at)) !== day || day < '2000-01-01') return 'income_day_unknown';
  if (at + day_ms > now.getTime()) return 'income_day_ahead';
  if (!Number.isSafeInteger(amount_minor) || amount_minor < 1 || amount_minor > maxIncome)
    return 'income_amount';
  if (!Number.isSafeInteger(impressions) || impressions < 0 || impressions > maxImpressions)
    return 'income_impressions';
  return fees_minor > amount_minor ? 'income_below_fees' : null;
}

/** Fees for impressions in minor units, rounded up; `fee_micros` are millionths of a dollar for each impression. */
export const feesOf = (impressions: number, fee_micros: number): number =>
  Math.ceil((impressions * fee_micros) / microsPerMinor);

/** What creators get of income after its fees, rounded down; the platform keeps the rest. */
export const sharedOf = (source: IncomeSource, net_minor: number): number =>
  Math.floor((net_minor * shared_percent[source]) / 100);

/** The day in UTC of a moment. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day of the month of a day or moment. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** When the income of a month is released: 59 days after the first of the next month, in UTC. `2026-01-01` gives March 31 or April 1. */
export function releaseOf(month: string): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1) + release_days * day_ms);
}

/** The month with which the income of a day is released: its own, or the current one when that was released before. */
export const periodOf = (day: string, now: Date): string =>
  releaseOf(monthOf(day)) > now ? monthOf(day) : monthOf(dayOf(now));

/** Millionths of a dollar as a decimal without zeros at its end: `1234500` is `1.2345`. */
export function decimalOfMicros(micros: number): string {
  const whole = Math.trunc(Math.abs(micros) / 1_000_000);
  const rest = String(Math.abs(micros) % 1_000_000)
    .padStart(6, '0')
    .replace(/(?<!0)0+$/, '');
  return `${micros < 0 ? '-' : ''}${whole}${rest && `.${rest}`}`;
}

/** The same of minor units. */
export const decimalOfMinor = (minor: number): string => decimalOfMicros(minor * microsPerMinor);
