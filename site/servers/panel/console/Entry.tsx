import { memo } from 'react';
import { useWords } from '../Words.tsx';
import type { Words } from '../words-of.ts';
import { marked } from './find.ts';
import type { Item } from './items.ts';
import type { Line } from './merge.ts';
import { shownLine } from './shown-line.ts';
import { line_px } from './window.ts';

interface EntryProps {
  item: Item;
  /** Place in the list, and how many there are. */
  at: number;
  all: number;
  /** Where it stands, and how many lines it takes. */
  top: number;
  lines: number;
  query: string;
  chosen: boolean;
  here: boolean;
}

/** One row of the list: a line, or words about lines that are not there. */
export const Entry = memo(function Entry({ item, at, all, top, lines, query, chosen, here }: EntryProps) {
  const words = useWords();
  const place = { insetBlockStart: top * line_px, blockSize: lines * line_px };
  const line = 'row' in item && item.row.kind === 'line' ? item.row.line : null;
  const names = [line ? shownLine(line).level : 'aside', chosen && 'chosen', here && 'here'];
  return (
    <li
      className={names.filter(Boolean).join(' ')}
      style={place}
      data-at={at}
      tabIndex={-1}
      aria-setsize={all}
      aria-posinset={at + 1}
    >
      {line ? <LineText line={line} query={query} /> : aside(words, item)}
    </li>
  );
});

function LineText({ line, query }: { line: Line; query: string }) {
  const { say, formatting } = useWords();
  const { pieces, level, text } = shownLine(line);
  const at = new Date(line.at);
  return (
    <>
      <time dateTime={at.toISOString()} title={full(formatting).format(at)}>
        {clock(formatting).format(at)}
      </time>
      <span className="lv">{say(`servers.level_${level}`)}</span>
      <code>
        {query !== ''
          ? marked(text, query).map((piece, i) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
              piece.hit ? <mark key={i}>{piece.text}</mark> : piece.text,
            )
          : pieces.map((piece, i) =>
              piece.look ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text stay where they are
                <span key={i} className={piece.look}>
                  {piece.text}
                </span>
              ) : (
                piece.text
              ),
            )}
      </code>
    </>
  );
}

function aside({ count, say }: Words, item: Item): string {
  if (!('row' in item)) return count('servers.between', item.between);
  if (item.row.kind === 'gap') return count('servers.skipped', item.row.count);
  return say('servers.console_fresh');
}

const made = new Map<string, Intl.DateTimeFormat>();
function format(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${options.dateStyle}`;
  const known = made.get(key) ?? new Intl.DateTimeFormat(tag, options);
  made.set(key, known);
  return known;
}
/** In the time of the person who looks. */
const clock = (tag: string) =>
  format(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const full = (tag: string) => format(tag, { dateStyle: 'medium', timeStyle: 'medium' });
