import { cellsOf } from './row-heights.ts';

/** How console lines break: between words, and inside those that are longer than a line. Pure. */

/** A word with the space behind it, or a single space. */
const units = /[^ ]+ ?| /g;

/**
 * The lines that `text` needs in `columns` columns. Browsers know more places to break than spaces: they may need fewer
 * lines, never more.
 */
export function wrappedLines(text: string, columns: number): number {
  let lines = 1;
  let used = 0;
  for (const [unit] of text.matchAll(units)) {
    const cells = cellsOf(unit);
    if (cells > columns)
      // as in `longUnits`: it begins on the same line and breaks anywhere
      for (const character of unit) {
        const width = cellsOf(character);
        if (used + width > columns) [lines, used] = [lines + 1, 0];
        used += width;
      }
    else if (used + cells > columns) [lines, used] = [lines + 1, cells];
    else used += cells;
  }
  return lines;
}

/** Start and end of every unit that is longer than a line: it is displayed so that it may break anywhere. */
export const longUnits = (text: string, columns: number): Array<[number, number]> =>
  [...text.matchAll(units)]
    .filter(([unit]) => columns > 0 && cellsOf(unit) > columns)
    .map(({ 0: unit, index }) => [index, index + unit.length]);
