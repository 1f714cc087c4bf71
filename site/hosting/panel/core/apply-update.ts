import type { ConsoleUpdate } from '#control/protocol/console.ts';

/** The console state of a panel, and how updates are applied to it. Pure; source: hosting §5.4. */

/** The maximum number of rows: a tab that sleeps for a night must not grow. */
export const max_rows = 10_000;

/** A line as an agent sent it. */
export type Line = ConsoleUpdate['lines'][number];
/** One row of the list: a line, lost lines, or a server restart. */
export type Row =
  | { kind: 'line'; key: string; line: Line }
  | { kind: 'gap'; key: string; count: number }
  | { kind: 'fresh'; key: string };

export interface Console {
  /** Container and start time; null before the first update. */
  epoch: string | null;
  /** Number of the next expected line. */
  next: number;
  /** Number of the oldest requested line; 1 when there is nothing older to request. */
  first: number;
  /** Counts restarts, so that keys of lines stay unique. */
  starts: number;
  rows: readonly Row[];
}

export const emptyConsole: Console = { epoch: null, next: 1, first: 1, starts: 0, rows: [] };

type Update = Pick<ConsoleUpdate, 'epoch' | 'from' | 'gap' | 'lines'>;

const keyOf = (starts: number, seq: number) => `${starts}.${seq}`;
/** A row for each line; skipped numbers become one row with their count. */
const rowsOf = (starts: number, lines: readonly Line[]): Row[] =>
  lines.flatMap((line, at) => {
    const from = at === 0 ? line.seq : lines[at - 1]!.seq + 1;
    return [...gapOf(starts, from, line.seq), { kind: 'line', key: keyOf(starts, line.seq), line }];
  });
/** A row for the lost lines `from` to before `to`, if there are any. */
const gapOf = (starts: number, from: number, to: number): Row[] =>
  to > from ? [{ kind: 'gap', key: `${keyOf(starts, from)}.gap`, count: to - from }] : [];

/**
 * Whether lines between the displayed ones and `update` were not sent at all: then the console is requested again
 * before they count as lost.
 */
export const isAhead = (console: Console, { epoch, from }: Update): boolean =>
  console.epoch === epoch && from > console.next;

/**
 * Appends `update` to `console`: lines that are displayed already are dropped, missing ones become one row with their
 * count. Another epoch starts a new count below the displayed rows; only the oldest rows beyond `max_rows` are removed.
 */
export function applyUpdate(console: Console, update: Update): Console {
  const { epoch, lines } = update;
  if (console.epoch !== epoch) return begun(console, update);
  const { starts, next } = console;
  const added = lines.filter(({ seq }) => seq >= next);
  const end = added.at(-1);
  const upTo = end ? end.seq + 1 : Math.max(next, update.from + update.gap);
  if (upTo === next) return console;
  const gap = gapOf(starts, next, added[0]?.seq ?? upTo);
  return cut({ ...console, next: upTo, rows: [...console.rows, ...gap, ...rowsOf(starts, added)] });
}

/** The first update of an epoch: earlier lines can be requested, unless rows of an older epoch are above. */
function begun(console: Console, { epoch, from, gap, lines }: Update): Console {
  const starts = console.starts + 1;
  const first = lines[0]?.seq ?? from + gap;
  const next = (lines.at(-1)?.seq ?? first - 1) + 1;
  const above = console.rows.length > 0;
  const lost = above ? first - 1 : 0;
  const between: Row[] = above ? [{ kind: 'fresh', key: `${starts}.fresh` }] : [];
  if (lost > 0) between.push({ kind: 'gap', key: `${starts}.before`, count: lost });
  const rows = [...console.rows, ...between, ...rowsOf(starts, lines)];
  return cut({ epoch, next, first: above ? 1 : first, starts, rows });
}

/** Prepends older lines to `console`; lines of another epoch, or displayed already, change nothing. */
export function withHistory(console: Console, { epoch, lines }: Update): Console {
  if (console.epoch !== epoch) return console;
  const older = lines.filter(({ seq }) => seq < console.first);
  const last = older.at(-1);
  if (!last) return { ...console, first: 1 };
  const { starts, first } = console;
  const rows = [...rowsOf(starts, older), ...gapOf(starts, last.seq + 1, first), ...console.rows];
  return { ...console, first: older[0]?.seq ?? 1, rows };
}

/** Whether there may be older lines, and room for them. */
export const mayReadOlder = ({ first, rows }: Console): boolean => first > 1 && rows.length < max_rows;

/** Drops the oldest rows beyond `max_rows`. They are not requested again: they would be dropped again. */
function cut(console: Console): Console {
  const { rows } = console;
  return rows.length > max_rows ? { ...console, first: 1, rows: rows.slice(-max_rows) } : console;
}
