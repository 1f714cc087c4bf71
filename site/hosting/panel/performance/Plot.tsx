import { useCallback, useMemo, useRef } from 'react';
import type UPlot from 'uplot';
import { useMessages } from '../../../platform/text/MessagesContext.tsx';
import { axisStyle, usePlot } from '../../../platform/ui/use-plot.ts';
import { type Chart, highest, type Points } from './charts.ts';
import type { Range } from './performance.store.ts';
import { axisText, timeFormat } from './units.ts';

type PlotOptions = Omit<UPlot.Options, 'width' | 'height'>;
interface PlotProps {
  chart: Chart;
  points: Points;
  range: Range;
  /** Value of the upper edge, unless values are higher. */
  top: number;
  /** The point under the pointer, or null. */
  onPoint(place: number | null): void;
}

const height = 140;
/** Pixels between two times on the axis. */
const time_space = 70;
/** Pixels below the lines, for their times. */
const times_height = 28;
/** Steps between values in MB: whole shares of the next unit, which has 1,024. */
const mb_steps = Array.from({ length: 24 }, (_, power) => 2 ** power);

/** The lines of one chart; the library is loaded when the first one is shown. Without it the figures around it remain. */
export function Plot({ chart, points, range, top, onPoint }: PlotProps) {
  const messages = useMessages();
  const edge = useRef(top);
  edge.current = top;
  const data = useMemo(() => dataOf(chart, points), [chart, points]);
  const options = useCallback(
    (around: HTMLElement) => {
      const times = timeFormat(messages.formatting, range);
      return optionsOf(around, chart, {
        top: () => edge.current,
        time: (seconds) => isolated(times.format(seconds * 1000)),
        value: (value) => isolated(axisText(messages, chart.unit, value)),
        onPoint,
      });
    },
    [chart, range, messages, onPoint],
  );
  const { box } = usePlot({ data, height, options });

  return <div className="plot" ref={box} dir="ltr" aria-hidden="true" />;
}

const dataOf = ({ lines }: Chart, points: Points) =>
  [points.times, ...lines.map(({ name }) => points[name])] as unknown as UPlot.AlignedData;

/** What the plot writes from left to right, as everything in it, in the direction of its own words. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

interface Drawing {
  top(): number;
  time(seconds: number): string;
  value(value: number): string;
  onPoint(place: number | null): void;
}

function optionsOf(around: HTMLElement, chart: Chart, { top, time, value, onPoint }: Drawing): PlotOptions {
  const { color, axis } = axisStyle(around);
  return {
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, __, most) => [0, Math.max(top(), (most ?? 0) * 1.1)] } },
    axes: [
      { ...axis, size: times_height, space: time_space, values: fitting(time) },
      {
        ...axis,
        size: widest,
        space: 36,
        values: (_, splits) => splits.map(value),
        ...(chart.unit === 'mb' && { incrs: mb_steps }),
      },
    ],
    series: [
      {},
      ...chart.lines.map((_, place) => ({
        stroke: color(place === 0 ? '--c2' : '--c3'),
        width: 1.5,
        points: { size: 4 },
        ...(place === 0 && { fill: `color-mix(in srgb, ${color('--c2')} 14%, transparent)` }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** The upper edge of a chart without higher values: all of what the server may use, or a little. */
export const topOf = (chart: Chart, points: Points, limits: { ram_mb: number; disk_mb: number }): number => {
  if (chart.unit === 'percent') return 100;
  if (chart.limit) return limits[chart.limit];
  if (chart.unit === 'ms') return 50;
  const most = Math.max(0, ...chart.lines.map(({ name }) => highest(points[name]) ?? 0));
  return chart.unit === 'count' ? Math.max(4, most) : Math.max(1_000, most);
};

/** Pixels of the screen that a label of an axis takes; the plot draws at the resolution of the screen. */
function widthOf({ ctx, axes }: UPlot, axis: number, label: string): number {
  // the plot keeps the font that it was given, in its own resolution, in a list
  ctx.font = (axes[axis]!.font as unknown as [string])[0];
  return ctx.measureText(label).width / devicePixelRatio;
}

/** Room for the labels of an axis, in pixels: words of some languages are long. */
const widest: UPlot.Axis.Size = (plot, labels, axis) =>
  Math.max(0, ...(labels ?? []).map((label) => Math.ceil(widthOf(plot, axis, label ?? '')))) + 16;

/** The times of an axis without those that its end would cut off. */
const fitting =
  (time: (seconds: number) => string): UPlot.Axis.DynamicValues =>
  (plot, splits, axis) =>
    splits.map((seconds) => {
      const label = time(seconds);
      const end =
        plot.bbox.left / devicePixelRatio + plot.valToPos(seconds, 'x') + widthOf(plot, axis, label) / 2;
      return end > plot.width ? '' : label;
    });
