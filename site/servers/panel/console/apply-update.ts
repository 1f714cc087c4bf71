import type { ConsoleUpdate } from '#control/protocol/console.ts';

/** What a panel keeps of a console, and how updates are laid to it. Pure; source: hosting §5.4. */

/** Rows kept at most: a tab that sleeps for a night must not grow. */
export const max_rows = 10_000;

/** A line as an agent sent it. */
export type Line = ConsoleUpdate['lines'][number];
/** One row of the list: a line, lines that are lost for good, or the place where the server started anew. */
export type Row =
  | { kind: 'line'; key: string; line: Line }
  | { kind: 'gap'; key: string; count: number }
  | { kind: 'fresh'; key: string };

export interface Console {
  /** Container and start time; null before anything was heard. */
  epoch: string | null;
  /** Number of the next line wanted. */
  next: number;
  /** Number of the oldest line that is asked for already; 1 when there is nothing older to ask for. */
  first: number;
  /** Counts the starts seen, so that keys of lines stay apart. */
  starts: number;
  rows: readonly Row[];
}

export const emptyConsole: Console = { epoch: null, next: 1, first: 1, starts: 0, rows: [] };

type Update = Pick<ConsoleUpdate, 'epoch' | 'from' | 'gap' | 'lines'>;

const keyOf = (starts: number, seq: number) => `${starts}.${seq}`;
/** A row for each line; where numbers are left out, one that says how many. */
const rowsOf = (starts: number, lines: readonly Line[]): Row[] =>
  lines.flatMap((line, at) => {
    const from = at === 0 ? line.seq : lines[at - 1]!.seq + 1;
    return [...gapOf(starts, from, line.seq), { kind: 'line', key: keyOf(starts, line.seq), line }];
  });
/** A row that says that lines `from` to before `to` are lost, if there are any. */
const gapOf = (starts: number, from: number, to: number): Row[] =>
  to > from ? [{ kind: 'gap', key: `${keyOf(starts, from)}.gap`, count: to - from }] : [];

/**
 * Whether lines between what is shown and `update` were not sent at all: then the console is asked for again instead of
 * calling them lost.
 */
export const isAhead = (console: Console, { epoch, from }: Update): boolean =>
  console.epoch === epoch && from > console.next;

/**
 * `console` with `update` laid to its end: lines shown already are dropped, what is missing between them is one row that
 * says how many. Another epoch begins a new count below what is shown; nothing shown is ever taken away but the oldest
 * rows beyond `max_rows`.
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

/** The first update of an epoch: whatever lies before it can be asked for, unless an older epoch stands above. */
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

/** `console` with older lines above what is shown; lines of another epoch, or that are shown already, change nothing. */
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

/** Without the oldest rows beyond `max_rows`. What was cut off is not asked for again: it would be cut again. */
function cut(console: Console): Console {
  const { rows } = console;
  return rows.length > max_rows ? { ...console, first: 1, rows: rows.slice(-max_rows) } : console;
}
