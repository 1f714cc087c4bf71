import type UPlot from 'uplot';
import { axisStyle } from '../../platform/ui/use-plot.ts';
import type { ChartLine } from './chart-lines.ts';

interface Wanted {
  lines: readonly ChartLine[];
  form: 'line' | 'bar';
  /** What happened, in milliseconds since 1970. */
  marks: readonly number[];
  time(ms: number): string;
  value(amount: number): string;
  /** The slice under the pointer and its place from the start of the box in pixels. */
  onPoint(point: { slice: number; left: number } | null): void;
}

/** More points than this would touch each other. */
const most_points = 60;
/** Pixels between two times on the axis. */
const time_space = 80;

/** How the chart looks, in the colors of the theme. */
export function chartOptions(
  around: HTMLElement,
  library: typeof UPlot,
  { lines, form, marks, time, value, onPoint }: Wanted,
): Omit<UPlot.Options, 'width' | 'height'> {
  const { color, axis } = axisStyle(around);
  const isBar = form === 'bar';
  const bars = library.paths.bars!({ size: [0.8, 48] });
  const single = lines.filter(({ isBehind }) => !isBehind).length === 1;
  return {
    legend: { show: false },
    padding: [12, 8, 0, 0],
    // slices begin in UTC
    tzDate: (seconds) => library.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false }, points: { size: isBar ? 0 : 7 } },
    scales: {
      x: { range: (_, first, last) => withRoom(first, last, isBar ? lines[0]!.values.length : 0) },
      y: { range: (_, __, most) => [0, Math.max(4, (most ?? 0) * 1.1)] },
    },
    axes: [
      { ...axis, size: 32, space: time_space, values: (_, splits) => splits.map((at) => time(at * 1000)) },
      { ...axis, size: 56, space: 40, values: (_, splits) => splits.map(value), incrs: wholeSteps },
    ],
    series: [
      {},
      ...lines.map(({ style, isBehind, values }): UPlot.Series => {
        const stroke = color(style.color);
        const asBar = isBar && !isBehind;
        return {
          stroke,
          width: asBar ? 0 : isBehind ? 1.25 : 2,
          dash: asBar ? [] : [...style.dash],
          points: { show: !asBar && !isBehind && values.length <= most_points, size: 5, fill: stroke },
          ...(asBar && { paths: bars, fill: stroke }),
          ...(single && !isBar && !isBehind && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }),
        };
      }),
    ],
    hooks: {
      draw: [(plot) => drawMarks(plot, marks, color('--ink-2'), color('--line-2'))],
      setCursor: [
        ({ cursor: { idx, left } }) =>
          onPoint(typeof idx === 'number' && left !== undefined && left >= 0 ? { slice: idx, left } : null),
      ],
    },
  };
}

const wholeSteps = [1, 2, 5].flatMap((step) => Array.from({ length: 13 }, (_, power) => step * 10 ** power));
wholeSteps.sort((one, other) => one - other);

/** Half a bar of room at both ends; one point alone stands in the middle of a day. */
function withRoom(first: number, last: number, bars: number): [number, number] {
  if (first === last) return [first - 43_200, last + 43_200];
  const half = bars > 1 ? (last - first) / (bars - 1) / 2 : 0;
  return [first - half, last + half];
}

/** A pebble on the axis for each thing that happened, with a line up to the top. */
function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly number[], ink: string, line: string) {
  const size = 4 * devicePixelRatio;
  ctx.save();
  for (const at of marks) {
    const x = Math.round(valToPos(at / 1000, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = line;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.ellipse(x, bbox.top + bbox.height, size, size * 0.75, 0, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}
