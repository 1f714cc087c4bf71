import type { MessageKey } from '#content/keys.ts';
import { type FigureName, figureNames } from '#db/hosting/servers/figures/rules.ts';
import type { FiguresView } from '#db/hosting/servers/figures/view.ts';
import type { Sample } from '../core/stats.ts';

/** The figures of a server as charts and rows of a table. Pure. */

/** A value that is not known, because the server was off or its node away, is a gap. */
type Values = readonly (number | null)[];
export type Points = { times: readonly number[] } & Record<FigureName, Values>;
type Unit = 'percent' | 'mb' | 'bytes_s' | 'count' | 'ms';

/** One chart: its lines, the unit of its values, and where its upper edge is unless values are higher. */
export interface Chart {
  id: 'cpu' | 'memory' | 'disk' | 'network' | 'players' | 'tick';
  label: MessageKey;
  unit: Unit;
  lines: { name: FigureName; label: MessageKey }[];
  /** What it may use; null without a bound. */
  limit: 'ram_mb' | 'disk_mb' | null;
}

const line = (name: FigureName, label: MessageKey) => ({ name, label });
export const charts: readonly Chart[] = [
  {
    ...{ id: 'cpu', label: 'server_figures.cpu', unit: 'percent', limit: null },
    lines: [line('cpu', 'server_figures.mean'), line('cpu_most', 'server_figures.highest')],
  },
  {
    ...{ id: 'memory', label: 'server_figures.memory', unit: 'mb', limit: 'ram_mb' },
    lines: [line('ram_mb', 'server_figures.memory')],
  },
  {
    ...{ id: 'disk', label: 'server_figures.disk', unit: 'mb', limit: 'disk_mb' },
    lines: [line('disk_mb', 'server_figures.disk')],
  },
  {
    ...{ id: 'network', label: 'server_figures.network', unit: 'bytes_s', limit: null },
    lines: [line('received', 'server_figures.received'), line('sent', 'server_figures.sent')],
  },
  {
    ...{ id: 'players', label: 'server_figures.players', unit: 'count', limit: null },
    lines: [line('players', 'server_figures.players')],
  },
  {
    ...{ id: 'tick', label: 'server_figures.tick', unit: 'ms', limit: null },
    lines: [line('tick_ms', 'server_figures.tick')],
  },
];

/** The CPU as a share of what it may use. */
const share = (cpu: number | null, limit: number): number | null =>
  cpu === null ? null : Math.round((cpu * 1000) / limit) / 10;

/** What is stored, with a time in seconds since 1970 for each step. */
export function storedPoints({ from, step_s, series, limits }: FiguresView): Points {
  const begin = Date.parse(from) / 1000;
  return {
    ...series,
    times: series.cpu.map((_, place) => begin + place * step_s),
    cpu: series.cpu.map((value) => share(value, limits.cpu)),
    cpu_most: series.cpu_most.map((value) => share(value, limits.cpu)),
  };
}

/** Samples so far apart have a gap between them, in milliseconds. */
const gap_ms = 25_000;

/** The samples of the last minute, oldest first; traffic is what was counted between two of them. */
export function livePoints(samples: readonly Sample[], cpu_limit: number): Points {
  const points = Object.fromEntries(['times', ...figureNames].map((name) => [name, []])) as unknown as {
    times: number[];
  } & Record<FigureName, (number | null)[]>;
  samples.forEach((sample, place) => {
    const before = samples[place - 1];
    if (before && sample.at - before.at > gap_ms) {
      points.times.push(before.at / 1000 + 1);
      for (const name of figureNames) points[name].push(null);
    }
    const seconds = before ? (sample.at - before.at) / 1000 : 0;
    const rate = (of: 'rx_bytes' | 'tx_bytes'): number | null =>
      before && seconds > 0 && sample[of] >= before[of] ? (sample[of] - before[of]) / seconds : null;
    points.times.push(sample.at / 1000);
    points.cpu.push(share(sample.cpu_percent, cpu_limit));
    points.cpu_most.push(null);
    points.ram_mb.push(sample.ram_mb);
    points.disk_mb.push(sample.disk_mb);
    points.received.push(rate('rx_bytes'));
    points.sent.push(rate('tx_bytes'));
    points.tick_ms.push(sample.tick_ms ?? null);
    points.players.push(sample.players?.online ?? null);
  });
  return points;
}

/** Whether there is anything to show of these lines. */
export const isKnown = (points: Points, { lines }: Pick<Chart, 'lines'>): boolean =>
  lines.some(({ name }) => points[name].some((value) => value !== null));

/** The newest value of a line, if the newest point has one. */
export const newest = (values: Values): number | null => values.at(-1) ?? null;

export const highest = (values: Values): number | null =>
  values.reduce<number | null>(
    (most, value) => (value === null ? most : Math.max(most ?? value, value)),
    null,
  );

/** Steps that one row of the table joins: hours of a day, quarters of days of a week, days of a month. */
const rowSteps = { day: 60, week: 36, month: 24, live: 10 } as const;

/** A row of the table: the mean of each figure from `time` on; of players and the highest CPU the highest. */
export type Row = { time: number } & Record<FigureName, number | null>;

/** The rows of the table, the newest first. */
export function rowsOf(points: Points, range: keyof typeof rowSteps): Row[] {
  const size = rowSteps[range];
  const rows: Row[] = [];
  for (let from = 0; from < points.times.length; from += size) {
    const row = { time: points.times[from]! } as Row;
    for (const name of figureNames) {
      const known = points[name].slice(from, from + size).filter((value) => value !== null);
      const most = name === 'players' || name === 'cpu_most';
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      row[name] = known.length === 0 ? null : most ? Math.max(...known) : mean;
    }
    rows.push(row);
  }
  return rows.reverse();
}
