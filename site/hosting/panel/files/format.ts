import type { MessageReader } from '../../../platform/text/message-reader.ts';

/** Dates of files as their list shows them. */

const made = new Map<string, Intl.DateTimeFormat>();
function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const known = made.get(key) ?? new Intl.DateTimeFormat(locale, options);
  made.set(key, known);
  return known;
}

/** When a file was changed: today its time, this year its day, else with the year. */
export function whenText({ t, formatting }: MessageReader, at: number, now: Date): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  if (date.toDateString() === now.toDateString())
    return t('server_files.today', { time: format(formatting, { timeStyle: 'short' }).format(date) });
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return format(formatting, { day: 'numeric', month: 'short', ...year }).format(date);
}

/** Date and time in full. */
export const exactText = ({ formatting }: MessageReader, at: number): string =>
  Number.isNaN(new Date(at).getTime())
    ? ''
    : format(formatting, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
