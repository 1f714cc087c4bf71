import { useMessages } from '../../platform/text/MessagesContext.tsx';
import type { ChartLine } from './chart-lines.ts';
import { type Drawn, exactText, timeFormat } from './labels.ts';

interface TimesTableProps {
  lines: readonly ChartLine[];
  times: readonly number[];
  minutes: number;
  metric: Drawn;
  /** How amounts are written where the metric does not say it. */
  write?: (amount: number) => string;
}

/** The same numbers as the chart, for those who cannot see it; the newest first. */
export function TimesTable({ lines, times, minutes, metric, write }: TimesTableProps) {
  const messages = useMessages();
  const { t, formatting } = messages;
  const format = timeFormat(formatting, minutes);
  const exact = (amount: number) => exactText(messages, metric, amount);
  const newest = times.map((_, slice) => times.length - 1 - slice);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
    <section className="scroll times" aria-label={t(`analytics.metric_${metric}`)} tabIndex={0}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">{t('analytics.time')}</th>
            {lines.map(({ key, name }) => (
              <th key={key} scope="col" className="num">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map((slice) => (
            <tr key={slice}>
              <th scope="row" dir="auto">
                {format.format(times[slice])}
              </th>
              {lines.map(({ key, values }) => (
                <td key={key} className="num">
                  {(write ?? exact)(values[slice] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
