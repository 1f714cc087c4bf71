import type { ComponentProps } from 'react';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { Chart } from './Chart.tsx';
import type { Metric } from './choice.ts';
import { exactText, timeFormat } from './labels.ts';
import type { RangePeriod } from './ranges.ts';

interface SummedChartProps extends ComponentProps<typeof Chart> {
  metric: Metric;
  period: RangePeriod;
  sum: number;
}

/** The chart of a period, and its sum in words for those who do not see it. */
export function SummedChart({ period, sum, ...drawn }: SummedChartProps) {
  const messages = useMessages();
  const { t, parts, formatting } = messages;
  const format = timeFormat(formatting, period.minutes);
  const time = (key: string, at: number) => (
    <time key={key} dateTime={new Date(at).toISOString()}>
      {format.format(at)}
    </time>
  );
  return (
    <>
      <p className="hide">
        {parts('analytics.chart_summary', {
          metric: t(`analytics.metric_${drawn.metric}`),
          from: time('from', period.start),
          to: time('to', period.end),
          sum: exactText(messages, drawn.metric, sum),
        })}
      </p>
      <Chart {...drawn} />
    </>
  );
}
