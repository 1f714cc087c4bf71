import {
  type FigureRange,
  figureNames,
  figureRangeIds,
  joinFigures,
} from '#db/hosting/servers/figures/rules.ts';
import type { FiguresView } from '#db/hosting/servers/figures/view.ts';
import { choice, flag, server_id, usually } from './parameters.ts';
import { type Row, row } from './row.ts';

/** Points that one line of the table joins: an hour, a quarter of a day, a day. */
const joined: Record<FigureRange, number> = { day: 60, week: 36, month: 24 };

/** What a server used over time. */
export const figuresRow: Row = row(
  'figures',
  'Prints what a server used: CPU, memory, disk, network, players and tick time.',
  {
    server_id,
    range: usually(choice('--range <range>', 'how far back', figureRangeIds), 'day'),
    json: flag('--json', 'as JSON: every point; null is a gap'),
  },
)
  .asks('figures.show')
  .shows('figures', (figures, { range }) => linesOf(figures, joined[range]));

/** Lines with at least one value, the oldest first; times in UTC. */
function linesOf({ from, step_s, series }: FiguresView, size: number): object[] {
  const lines: object[] = [];
  const text = (value: number | null) => (value === null ? '' : String(Math.round(value * 10) / 10));
  for (let at = 0; at < series.cpu.length; at += size) {
    const points = series.cpu.slice(at, at + size).map((_, place) => {
      const point = figureNames.map((name) => [name, series[name][at + place] ?? null]);
      return Object.fromEntries(point) as Parameters<typeof joinFigures>[0][number];
    });
    const mean = joinFigures(points);
    if (mean.cpu === null) continue;
    const time = new Date(Date.parse(from) + at * step_s * 1_000).toISOString().slice(0, 16);
    lines.push({ time, ...Object.fromEntries(figureNames.map((name) => [name, text(mean[name])])) });
  }
  return lines;
}
