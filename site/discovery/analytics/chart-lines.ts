import type { PageMessages } from '../../platform/text/MessagesContext.tsx';
import { type LineStyle, lineStyle, otherStyle } from './line-style.ts';
import { linesOf, type Series } from './series.ts';

/** A project of the page: its name, and where it is. */
export interface AnalyticsProject {
  id: string;
  title: string;
  path: string;
}
/** The projects of the page by their ids, each with its place in the list: lines keep their colors whatever is chosen. */
export type ProjectIndex = ReadonlyMap<string, AnalyticsProject & { place: number }>;
export const indexOf = (projects: readonly AnalyticsProject[]): ProjectIndex =>
  new Map(projects.map((project, place) => [project.id, { ...project, place }]));

/** A line of the chart, a column of its table. */
export interface ChartLine {
  key: string;
  name: string;
  style: LineStyle;
  values: readonly number[];
  sum: number;
  /** The period before, or all other projects: it lies behind. */
  isBehind?: boolean;
}

interface Drawn {
  series: Series;
  before: Series | null;
  /** One line for all projects. */
  total: boolean;
  projects: ProjectIndex;
}

/**
 * The lines of a chart: of each project, the largest first, or of all together, then with the period before beside it. There
 * is one line for what has no line of its own.
 */
export function chartLines(
  { t, count }: Pick<PageMessages, 't' | 'count'>,
  { series, before, total, projects }: Drawn,
): ChartLine[] {
  const { own, others } = linesOf(series);
  const single = projects.size === 1 ? [...projects.values()][0] : undefined;
  if (total || projects.size === 1 || own.length === 0) {
    const name = single?.title ?? t('analytics.total');
    const line = { key: 'total', name, style: lineStyle(0), values: series.totals, sum: series.sum };
    if (!before) return [line];
    const values = series.times.map((_, slice) => before.totals[slice] ?? 0);
    const earlier = { key: 'before', name: t('analytics.before'), style: otherStyle, isBehind: true };
    return [line, { ...earlier, values, sum: before.sum }];
  }
  const lines: ChartLine[] = own.map(({ id, values, sum }) => {
    const project = projects.get(id);
    return { key: id, name: project?.title ?? id, style: lineStyle(project?.place ?? 0), values, sum };
  });
  if (others) {
    const name = count('analytics.others', others.count);
    lines.push({ key: 'others', name, style: otherStyle, values: others.values, sum: others.sum });
  }
  return lines;
}

/** Values piled up for bars: each line on top of those after it. */
export function stacked(lines: ReadonlyArray<Pick<ChartLine, 'values'>>): number[][] {
  const piles: number[][] = [];
  let under: number[] = [];
  for (const { values } of [...lines].reverse()) {
    under = values.map((value, slice) => value + (under[slice] ?? 0));
    piles.unshift(under);
  }
  return piles;
}
