import type { PageMessages } from '../../../text/MessagesContext.tsx';
import type { Chart } from './charts.ts';

/** Writes values of a chart in the language of the page: `12%`, `1.5 GB`, `3 MB/s`. */
export function valueText(
  { t, number }: Pick<PageMessages, 't' | 'number'>,
  unit: Chart['unit'],
  value: number | null,
): string {
  if (value === null) return t('server_figures.unknown');
  if (unit === 'percent') return t('server_figures.percent', { value: number(value, 1) });
  if (unit === 'ms') return t('server_figures.ms', { value: number(value, 1) });
  if (unit === 'count') return number(value, 0);
  if (unit === 'mb')
    return value >= 1_024
      ? t('server_figures.gb', { value: number(value / 1_024, 1) })
      : t('server_figures.mb', { value: number(value, value < 10 ? 1 : 0) });
  return value >= 1_000_000
    ? t('server_figures.mb_s', { value: number(value / 1_000_000, 1) })
    : t('server_figures.kb_s', { value: number(value / 1_000, 1) });
}

/** Writes times in the reader's zone: with seconds, of today, or with their date. */
export function timeFormat(
  formatting: string,
  range: 'live' | 'day' | 'week' | 'month',
): Intl.DateTimeFormat {
  if (range === 'live') return new Intl.DateTimeFormat(formatting, { timeStyle: 'medium' });
  if (range === 'day') return new Intl.DateTimeFormat(formatting, { timeStyle: 'short' });
  const day = { day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(formatting, range === 'week' ? { ...day, hour: 'numeric' } : day);
}
