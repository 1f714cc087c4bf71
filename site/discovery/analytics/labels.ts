import { exactNumber } from '../../platform/text/format.ts';
import type { PageMessages } from '../../platform/text/MessagesContext.tsx';
import { compact, count, percent } from '../../platform/text/short-numbers.ts';
import type { Breakdown, Metric } from './choice.ts';

type Reader = Pick<PageMessages, 't' | 'formatting' | 'number'>;

/** What a chart shows: revenue has no choices of its own, and its chart says how it is written. */
export type Drawn = Metric | 'revenue';

/** The unit of a sum: playtime is counted in seconds. */
const unitOf = (seconds: number) => (seconds < 3600 ? ('minutes' as const) : ('hours' as const));
const inUnit = (seconds: number) => (seconds < 3600 ? seconds / 60 : seconds / 3600);

/** A sum of a metric in short: `12.3k`, of playtime `1,204 h`. Source: specification §9. */
export function amountText(messages: Reader, metric: Drawn, amount: number): string {
  if (metric !== 'playtime') return count(messages, amount);
  return messages.t(`analytics.unit_${unitOf(amount)}`, { value: count(messages, inUnit(amount)) });
}

/** The same on the axis of a chart, where only the first digits count: `12K`. Source: specification §9 (compact). */
export const axisText = (messages: Reader, metric: Drawn, amount: number): string =>
  metric === 'playtime' ? amountText(messages, metric, amount) : compact(messages, amount);

/** The same in full. */
export function exactText(messages: Reader, metric: Drawn, amount: number): string {
  if (metric !== 'playtime') return exactNumber(messages, amount);
  const count = Math.round(inUnit(amount) * 10) / 10;
  return messages.t(`analytics.exact_${unitOf(amount)}`, { count, value: messages.number(count, 1, 0) });
}

/** A change with its sign, in percent. */
export const changeText = ({ formatting }: Pick<Reader, 'formatting'>, change: number): string =>
  new Intl.NumberFormat(formatting, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(change) < 0.1 ? 1 : 0,
  }).format(change);

/** Writes the beginning of a slice, in UTC; on an axis in short. */
export function timeFormat(formatting: string, minutes: number, isShort = false): Intl.DateTimeFormat {
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  if (minutes < 6 * 60)
    return new Intl.DateTimeFormat(formatting, isShort ? { ...time, timeZone: 'UTC' } : { ...day, ...time });
  if (minutes < 24 * 60) return new Intl.DateTimeFormat(formatting, isShort ? day : { ...day, ...time });
  const isLong = minutes > 7 * 24 * 60;
  if (isShort && isLong)
    return new Intl.DateTimeFormat(formatting, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return new Intl.DateTimeFormat(formatting, isShort ? day : { ...day, year: 'numeric' });
}

/** The flag of a country as two letters of its code. */
export const flagOf = (code: string): string =>
  /^[A-Z]{2}$/.test(code) && code !== unknown_country
    ? String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0)))
    : '';

/** ISO 3166 has no such country: it is not known, or too few were counted to say. */
const unknown_country = 'XX';

/** Names of countries in a language; a code without a name stays. */
function countryNames(formatting: string): (code: string) => string {
  const names = new Intl.DisplayNames(formatting, { type: 'region' });
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
}

/** What a row of a breakdown is called, without names that have to be looked up. */
export function valueName(
  { t, isPlain, formatting }: Reader & Pick<PageMessages, 'isPlain'>,
  by: Breakdown,
  value: string,
  loaders: Readonly<Record<string, string>>,
): string {
  if (by === 'country')
    return !value || value === unknown_country
      ? t('analytics.small_countries')
      : countryNames(formatting)(value);
  if (!value) return t('analytics.unknown');
  if (by === 'loader') return Object.hasOwn(loaders, value) ? loaders[value]! : value;
  const source = `analytics.source_${value}`;
  return by === 'source' && isPlain(source) ? t(source as 'analytics.source_other') : value;
}

/** A part of a whole in percent. */
export const shareText = (messages: Pick<Reader, 'formatting'>, part: number, whole: number): string =>
  percent(messages, whole === 0 ? 0 : part / whole);
