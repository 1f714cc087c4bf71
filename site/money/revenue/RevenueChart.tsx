import { useCallback } from 'react';
import uplotStyle from 'uplot/dist/uPlot.min.css?url';
import type { IslandMessages } from '#content/island-messages.ts';
import chartStyle from '../../discovery/analytics/chart.css?url';
import type { ChartLine } from '../../discovery/analytics/chart-lines.ts';
import { lineStyle } from '../../discovery/analytics/line-style.ts';
import { MessagesProvider, useMessages } from '../../platform/text/MessagesContext.tsx';
import { money } from '../../platform/text/money.ts';
import { later, laterStyled } from '../../platform/ui/later.tsx';
import { Skeleton } from '../../platform/ui/Skeleton.tsx';

const waiting = (
  <div className="chart">
    <Skeleton rows={5} of="lines" />
  </div>
);
const Chart = laterStyled(
  [uplotStyle, chartStyle],
  async () => (await import('../../discovery/analytics/Chart.tsx')).Chart,
  waiting,
);
const TimesTable = later(async () => (await import('../../discovery/analytics/TimesTable.tsx')).TimesTable);
const day_minutes = 24 * 60;

interface DaysProps {
  /** The first day, in milliseconds since 1970. */
  start: number;
  /** What was earned on each day, in cents. */
  cents: readonly number[];
}
interface RevenueChartProps extends DaysProps {
  messages: IslandMessages;
  /** `?hl=…` while the address has one. */
  query: string;
}

/** What somebody earned by day, as bars and as a table. */
export const RevenueChart = ({ messages, query, ...days }: RevenueChartProps) => (
  <MessagesProvider messages={messages} query={query}>
    <Days {...days} />
  </MessagesProvider>
);

function Days({ start, cents }: DaysProps) {
  const messages = useMessages();
  const { t } = messages;
  const write = useCallback((amount: number) => money(messages, amount), [messages]);
  const sum = cents.reduce((all, one) => all + one, 0);
  const line: ChartLine = { key: 'all', name: t('revenue.line'), style: lineStyle(0), values: cents, sum };
  const times = cents.map((_, day) => start + day * day_minutes * 60_000);
  const drawn = { lines: [line], times, minutes: day_minutes, metric: 'revenue', write } as const;
  return (
    <>
      <Chart {...drawn} form="bar" marks={no_marks} />
      <details>
        <summary>{t('revenue.table')}</summary>
        <TimesTable {...drawn} />
      </details>
    </>
  );
}
const no_marks: never[] = [];
