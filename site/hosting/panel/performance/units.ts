import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import type { Chart } from './charts.ts';

type Reader = Pick<PageMessages, 't' | 'number'>;

/** Writes values of a chart in the language of the page: `12.0%`, `1.5 GB`, `3.2 MB/s`. */
export const valueText = (reader: Reader, unit: Chart['unit'], value: number | null): string =>
  value === null ? reader.t('server_figures.unknown') : written(reader, unit, value, 1);

/** Writes a value beside an axis, with decimals only where it has some: `50%`, `4 GB`, `0`. */
export const axisText = (reader: Reader, unit: Chart['unit'], value: number): string =>
  value === 0 ? reader.number(0) : written(reader, unit, value, 0);

function written({ t, number }: Reader, unit: Chart['unit'], value: number, least: number): string {
  if (unit === 'percent') return t('server_figures.percent', { value: number(value, 1, least) });
  if (unit === 'ms') return t('server_figures.ms', { value: number(value, 1, least) });
  if (unit === 'count') return number(value, 0);
  if (unit === 'mb')
    return value >= 1_024
      ? t('server_figures.gb', { value: number(value / 1_024, 1, least) })
      : t('server_figures.mb', { value: value < 10 ? number(value, 1, least) : number(value) });
  return value >= 1_000_000
    ? t('server_figures.mb_s', { value: number(value / 1_000_000, 1, least) })
    : t('server_figures.kb_s', { value: number(value / 1_000, 1, least) });
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
