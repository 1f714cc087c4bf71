import type { MessageKey, Messages } from '#content/messages.ts';

/**
 * Localized numbers, sizes, dates and names; ranges of game versions are in `version-ranges.ts`. Used on the server and
 * by small scripts: nothing here loads message catalogs.
 * Source: specification §9; screens §A.10 (Formatting).
 */

const cachedFormat = new Map<string, unknown>();

/** `Intl` objects are expensive to create: one per language and use. */
export function once<T>(key: string, make: () => T): T {
  let made = cachedFormat.get(key) as T | undefined;
  if (!made) {
    made = make();
    cachedFormat.set(key, made);
  }
  return made;
}

/** Truncated, never rounded up: a count must not claim more than there is. */
export const decimals = (
  { formatting }: Pick<Messages, 'formatting'>,
  number: number,
  digits: number,
): string =>
  once(
    `${formatting} ${digits}`,
    () =>
      new Intl.NumberFormat(formatting, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        roundingMode: 'trunc',
      }),
  ).format(number);

/** A count in full, grouped: `12,345`. */
export const exactNumber = (messages: Pick<Messages, 'formatting'>, count: number): string =>
  decimals(messages, count, 0);

const steps = [
  ['year', 31_556_952_000],
  ['month', 2_629_746_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Whether a date is a day without a time of day (`2026-11-22`). */
export const isDay = (date: Date | string): boolean => typeof date === 'string' && date.length === 10;

/**
 * How long ago (or ahead) `date` is, in its largest whole unit: `3 days ago`, `now` below a minute. A day without a time
 * is `today` until it is over in UTC.
 */
export const relativeDate = ({ formatting }: Messages, date: Date | string, now: Date): string =>
  relative(formatting, date, now);

/** The same for islands, which know only the tag for `Intl`. */
export function relative(formatting: string, date: Date | string, now: Date): string {
  const format = once(
    `${formatting} relative`,
    () => new Intl.RelativeTimeFormat(formatting, { numeric: 'auto' }),
  );
  const { value, unit } = distance(date, now);
  return format.format(value, unit);
}

/** What a relative time says, without words (`-3 day`): it is the same while the text need not change. */
export function relativeStep(date: Date | string, now: Date): string {
  const { value, unit } = distance(date, now);
  return `${value} ${unit}`;
}

function distance(
  date: Date | string,
  now: Date,
): { value: number; unit: (typeof steps)[number][0] | 'second' } {
  const ms = new Date(date).getTime() - now.getTime();
  for (const [unit, length] of isDay(date) ? steps.slice(0, 4) : steps) {
    if (Math.abs(ms) >= length) return { value: Math.trunc(ms / length), unit };
  }
  return { value: 0, unit: isDay(date) ? 'day' : 'second' };
}

/** The display name of a category, loader or category header; unknown tags are capitalized. */
export function tagName({ t }: Messages, name: string): string {
  const key = `tags.${name}`;
  const text = t(key as MessageKey);
  return text === key ? name.charAt(0).toUpperCase() + name.slice(1) : text;
}

/** `tagName` for the headers of category lists: `performance impact`. */
export const headerName = (messages: Messages, header: string): string =>
  tagName(messages, `header_${header.replaceAll(' ', '_')}`);
