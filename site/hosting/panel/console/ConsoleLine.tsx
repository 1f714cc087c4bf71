import { memo } from 'react';
import { type PageMessages, useMessages } from '../../../platform/text/MessagesContext.tsx';
import type { Line } from '../core/apply-update.ts';
import { displayLine } from './display-line.ts';
import { LineParts } from './LineParts.tsx';
import { lineParts } from './line-segments.ts';
import { line_px } from './row-heights.ts';
import type { Item } from './rows.ts';

interface ConsoleLineProps {
  item: Item;
  /** Position in the list, and its length. */
  at: number;
  all: number;
  /** Offset, and height in lines. */
  top: number;
  lines: number;
  query: string;
  /** Characters in one line. */
  columns: number;
  chosen: boolean;
  here: boolean;
}

/** One row of the list: a line, or a message about missing lines. */
export const ConsoleLine = memo(function Entry({
  item,
  at,
  all,
  top,
  lines,
  query,
  columns,
  chosen,
  here,
}: ConsoleLineProps) {
  const messages = useMessages();
  const position = { insetBlockStart: top * line_px, blockSize: lines * line_px };
  const line = 'row' in item && item.row.kind === 'line' ? item.row.line : null;
  const names = [line ? displayLine(line).level : 'aside', chosen && 'chosen', here && 'here'];
  return (
    <li
      className={names.filter(Boolean).join(' ')}
      style={position}
      data-at={at}
      tabIndex={-1}
      aria-setsize={all}
      aria-posinset={at + 1}
    >
      {line ? <LineText line={line} query={query} columns={columns} /> : aside(messages, item)}
    </li>
  );
});

function LineText({ line, query, columns }: { line: Line; query: string; columns: number }) {
  const { t, formatting } = useMessages();
  const display = displayLine(line);
  const at = new Date(line.at);
  return (
    <>
      <time dateTime={at.toISOString()} title={full(formatting).format(at)}>
        {clock(formatting).format(at)}
      </time>
      <span className="lv">{t(`servers.level_${display.level}`)}</span>
      <code>
        <LineParts parts={lineParts(display, query, columns)} />
      </code>
    </>
  );
}

function aside({ count, t }: PageMessages, item: Item): string {
  if (!('row' in item)) return count('servers.between', item.between);
  if (item.row.kind === 'gap') return count('servers.skipped', item.row.count);
  return t('servers.console_fresh');
}

const made = new Map<string, Intl.DateTimeFormat>();
function format(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${options.dateStyle}`;
  const known = made.get(key) ?? new Intl.DateTimeFormat(tag, options);
  made.set(key, known);
  return known;
}
/** In the time zone of the user. */
const clock = (tag: string) =>
  format(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const full = (tag: string) => format(tag, { dateStyle: 'medium', timeStyle: 'medium' });
