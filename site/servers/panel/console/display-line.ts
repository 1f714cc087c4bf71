import { type Piece, piecesOf } from './ansi.ts';
import type { Line } from './apply-update.ts';
import { cellsOf } from './row-heights.ts';

/** What a line says, worked out once when it is first needed. */
type Level = 'info' | 'warn' | 'error' | 'typed';
export interface DisplayLine {
  pieces: Piece[];
  /** All of it, without looks. */
  text: string;
  level: Level;
  /** How many cells of a fixed-width face it takes. */
  cells: number;
}

const cache = new WeakMap<Line, DisplayLine>();

export function displayLine(line: Line): DisplayLine {
  let display = cache.get(line);
  if (!display) {
    const pieces = withoutHead(line, piecesOf(line.text));
    const text = pieces.map((piece) => piece.text).join('');
    display = { pieces, text, level: levelOf(line), cells: cellsOf(text) };
    cache.set(line, display);
  }
  return display;
}

const prompt = /^> (?=.)/;
/** `[19:04:11 INFO]: ` and `[19:04:11] [Server thread/INFO]: `: the panel shows time and level itself. */
const head =
  /^\[\d\d:\d\d:\d\d(?:\.\d+)?(?:\] \[[^\]\n]{0,60}\/|[ \]]{1,3}\[?)(?:INFO|WARN|ERROR|DEBUG)\](?: \[[^\]\n]{0,80}\])?: /;

/** Without a prompt that a game server writes, and without the time and level that stand beside the line. */
function withoutHead({ stream }: Line, pieces: Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  if (!first || stream === 'in') return pieces;
  const text = first.text.replace(prompt, '').replace(head, '');
  return text === first.text ? pieces : [{ ...first, text }, ...rest];
}

const warns = /^[^\w]{0,3}(?:\[?[\d:. T-]*\]?[ \t]*)?\[?(?:[^\]\n]{0,60}\/)?WARN(?:ING)?\b/;
const fails = /^[^\w]{0,3}(?:\[?[\d:. T-]*\]?[ \t]*)?\[?(?:[^\]\n]{0,60}\/)?(?:ERROR|SEVERE|FATAL)\b/;
const traces = /^\s+at [\w$.<>/]+\(|^(?:Caused by: |Exception in )|^[\w$.]+(?:Exception|Error)(?::|$)/;

/** What kind of line it is: by the word loggers write at its beginning, else by where the process wrote it. */
function levelOf({ text, stream }: Line): Level {
  if (stream === 'in') return 'typed';
  const plain_text = piecesOf(text.slice(0, 300))
    .map((piece) => piece.text)
    .join('');
  if (fails.test(plain_text) || traces.test(plain_text)) return 'error';
  if (warns.test(plain_text)) return 'warn';
  // much of what processes write there is no error
  return stream === 'err' ? 'warn' : 'info';
}
