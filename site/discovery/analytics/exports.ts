import type { ChartLine } from './chart-lines.ts';
import type { Choice } from './choice.ts';
import type { RangePeriod } from './ranges.ts';
import type { NamedRow } from './row-names.ts';
import { type Cell, csvOf, saveFile } from './table-files.ts';

/** What is shown, to be saved as a file. Playtime is in seconds. */
interface Exported {
  choice: Pick<Choice, 'range' | 'metric'>;
  period: RangePeriod;
  times: readonly number[];
  lines: readonly ChartLine[];
  by: string;
  rows: readonly NamedRow[];
}
export type ExportKind = 'csv_times' | 'csv_breakdown' | 'json';

const iso = (ms: number) => new Date(ms).toISOString();
const unitOf = ({ metric }: Exported['choice']) => (metric === 'playtime' ? 'playtime_seconds' : metric);

/** The chart as rows: when a slice begins, and the value of each line. */
export const timeRows = ({ times, lines }: Pick<Exported, 'times' | 'lines'>): Cell[][] => [
  ['time', ...lines.map(({ name }) => name)],
  ...times.map((at, slice) => [iso(at), ...lines.map(({ values }) => values[slice] ?? 0)]),
];

/** The breakdown as rows: all of them, also those that are not shown by name. */
export const breakdownRows = ({ choice, by, rows }: Pick<Exported, 'choice' | 'by' | 'rows'>): Cell[][] => [
  [by, 'name', ...(by === 'version' ? ['project_id'] : []), unitOf(choice)],
  ...rows.map(({ value, name, project, amount }) => [
    ...[value, name, ...(by === 'version' ? [project] : [])],
    amount,
  ]),
];

/** All that is shown as one object. */
export const exportedObject = ({ choice, period, times, lines, by, rows }: Exported) => ({
  range: choice.range,
  metric: unitOf(choice),
  start: iso(period.start),
  end: iso(period.end),
  resolution_minutes: period.minutes,
  times: times.map(iso),
  lines: lines.map(({ key, name, sum, values }) => ({ id: key, name, sum, values })),
  breakdown: { by, rows: rows.map(({ value, name, project, amount }) => ({ value, name, project, amount })) },
});

/** Offers what is shown as a file. */
export function exportFile(kind: ExportKind, exported: Exported): void {
  const { choice, period, by } = exported;
  const name = `${choice.metric}-${choice.range}-${iso(period.end).slice(0, 10)}`;
  if (kind === 'json')
    saveFile(`${name}.json`, 'application/json', `${JSON.stringify(exportedObject(exported), null, 2)}\n`);
  else if (kind === 'csv_times') saveFile(`${name}.csv`, 'text/csv', csvOf(timeRows(exported)));
  else saveFile(`${name}-${by}.csv`, 'text/csv', csvOf(breakdownRows(exported)));
}
