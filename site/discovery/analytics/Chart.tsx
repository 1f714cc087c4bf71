import { useCallback, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import { useMessages } from '../../platform/text/MessagesContext.tsx';
import { usePlot } from '../../platform/ui/use-plot.ts';
import { type ChartLine, stacked } from './chart-lines.ts';
import { chartOptions } from './chart-options.ts';
import { LineKey } from './Legend.tsx';
import { axisText, type Drawn, exactText, timeFormat } from './labels.ts';
import { MarkText } from './MarkList.tsx';
import type { Mark } from './marks.ts';

interface ChartProps {
  lines: readonly ChartLine[];
  times: readonly number[];
  minutes: number;
  metric: Drawn;
  /** How amounts are written where the metric does not say it. */
  write?: (amount: number) => string;
  form: 'line' | 'bar';
  marks: readonly Mark[];
}
const height = 300;
/** Marks of one slice in the box beside the cursor. */
const most_marks = 3;

/** The lines or bars of a metric over time. What a pointer shows is in the table too. */
export function Chart({ lines, times, minutes, metric, write, form, marks }: ChartProps) {
  const messages = useMessages();
  const { formatting } = messages;
  const [point, setPoint] = useState<{ slice: number; left: number } | null>(null);
  const onPoint = useCallback((next: typeof point) => setPoint(next), []);
  const data = useMemo(() => {
    const behind = lines.filter(({ isBehind }) => isBehind);
    const piles = form === 'bar' ? stacked(lines.filter(({ isBehind }) => !isBehind)) : null;
    const values = piles ? [...piles, ...behind.map((one) => one.values)] : lines.map((one) => one.values);
    return [times.map((at) => at / 1000), ...values] as unknown as UPlot.AlignedData;
  }, [lines, times, form]);
  const options = useCallback(
    (around: HTMLElement, library: typeof UPlot) => {
      const format = timeFormat(formatting, minutes, true);
      return chartOptions(around, library, {
        ...{ lines, form, onPoint, marks: marks.map(({ at }) => at) },
        time: (ms) => format.format(ms),
        value: write ?? ((amount) => axisText(messages, metric, amount)),
      });
    },
    [lines, form, onPoint, marks, formatting, minutes, messages, metric, write],
  );
  const exact = (amount: number) => exactText(messages, metric, amount);
  const { box, plot } = usePlot({ data, height, options });
  const at = point ? times[point.slice] : undefined;
  const width = plot.current?.over.clientWidth ?? 0;
  return (
    <div className="chart" dir="ltr" aria-hidden="true">
      <div className="plot" ref={box} />
      {point && at !== undefined && (
        <div
          className="point"
          dir="auto"
          style={point.left > width / 2 ? { right: width - point.left + 20 } : { left: point.left + 76 }}
        >
          <b>
            <time dateTime={new Date(at).toISOString()}>{timeFormat(formatting, minutes).format(at)}</time>
          </b>
          <ul>
            {lines.map((line) => (
              <li key={line.key}>
                <LineKey style={line.style} />
                <bdi>{line.name}</bdi>
                <span>{(write ?? exact)(line.values[point.slice] ?? 0)}</span>
              </li>
            ))}
          </ul>
          {marks
            .filter((mark) => mark.at >= at && mark.at < at + minutes * 60_000)
            .slice(0, most_marks)
            .map((mark) => (
              <p key={`${mark.at} ${mark.kind}`}>
                <MarkText mark={mark} />
              </p>
            ))}
        </div>
      )}
    </div>
  );
}
