import type { Line } from '../core/apply-update.ts';
import { type Piece, piecesOf } from './ansi.ts';
import { cellsOf } from './row-heights.ts';
import { wrappedLines } from './wrap-lines.ts';

/** A console line prepared for display, on first use. `cairn` is what Cairn itself did. */
type Level = 'info' | 'warn' | 'error' | 'typed' | 'cairn';
export interface DisplayLine {
  pieces: Piece[];
  /** The whole text, without styles. */
  text: string;
  level: Level;
  /** Its width in cells of a monospace font. */
  cells: number;
  /** The lines it needs in that many columns, as asked last. */
  wrapped: { columns: number; lines: number };
}

const cache = new WeakMap<Line, DisplayLine>();
let toSentence = (text: string): string => text;

/** How lines about what Cairn itself did are written; set before the first line is displayed. */
export const setOwnSentences = (sentence: typeof toSentence): void => {
  toSentence = sentence;
};

/** The lines that `display` needs in `columns` columns; at least one. `columns` 0 means unknown. */
export function heightOf(display: DisplayLine, columns: number): number {
  if (columns === 0 || display.cells <= columns) return 1;
  if (display.wrapped.columns !== columns)
    display.wrapped = { columns, lines: wrappedLines(display.text, columns) };
  return display.wrapped.lines;
}

export function displayLine(line: Line): DisplayLine {
  let display = cache.get(line);
  if (!display) {
    const isOwn = line.stream === 'cairn';
    const pieces = withoutHead(line, piecesOf(isOwn ? toSentence(line.text) : line.text));
    const text = pieces.map((piece) => piece.text).join('');
    const wrapped = { columns: 0, lines: 1 };
    display = { pieces, text, level: levelOf(line), cells: cellsOf(text), wrapped };
    cache.set(line, display);
  }
  return display;
}

const prompt = /^> (?=.)/;
/** `[19:04:11 INFO]: ` and `[19:04:11] [Server thread/INFO]: `: the panel shows time and level itself. */
const head =
  /^\[\d\d:\d\d:\d\d(?:\.\d+)?(?:\] \[[^\]\n]{0,60}\/|[ \]]{1,3}\[?)(?:INFO|WARN|ERROR|DEBUG)\](?: \[[^\]\n]{0,80}\])?: /;

/** Removes a game server's prompt, and the time and level that are displayed beside the line. */
function withoutHead({ stream }: Line, pieces: Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  if (!first || stream === 'in' || stream === 'cairn') return pieces;
  const text = first.text.replace(prompt, '').replace(head, '');
  return text === first.text ? pieces : [{ ...first, text }, ...rest];
}

const warns = /^[^\w]{0,3}(?:\[?[\d:. T-]{0,40}\]?[ \t]{0,8})?\[?(?:[^\]\n]{0,60}\/)?WARN(?:ING)?\b/;
const fails =
  /^[^\w]{0,3}(?:\[?[\d:. T-]{0,40}\]?[ \t]{0,8})?\[?(?:[^\]\n]{0,60}\/)?(?:ERROR|SEVERE|FATAL)\b/;
const traces = /^\s+at [\w$.<>/]+\(|^(?:Caused by: |Exception in )|^[\w$.]+(?:Exception|Error)(?::|$)/;

/** The level of a line: by the word that loggers write at its start, else by its stream. */
function levelOf({ text, stream }: Line): Level {
  if (stream === 'in') return 'typed';
  if (stream === 'cairn') return 'cairn';
  const plain_text = piecesOf(text.slice(0, 300))
    .map((piece) => piece.text)
    .join('');
  if (fails.test(plain_text) || traces.test(plain_text)) return 'error';
  if (warns.test(plain_text)) return 'warn';
  // much of what processes write to stderr is not an error
  return stream === 'err' ? 'warn' : 'info';
}
