/** Which rows of a long list are rendered, and where: heights are whole lines of `line_px`. Pure. */
export const line_px = 20;
/** Lines rendered above and below the visible part. */
const spare = 12;

/** The width of `text` in cells of a monospace font: characters such a font may lack count two. */
export function cellsOf(text: string): number {
  let cells = text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x24f) cells++;
  return cells;
}

/** The offset of each row, in lines; the last number is the total. */
export function beginnings(lines: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  let sum = 0;
  for (let i = 0; i < lines.length; i++) {
    starts[i] = sum;
    sum += lines[i]!;
  }
  starts[lines.length] = sum;
  return starts;
}

/** The row at line `line`: the last one that starts at or before it. */
export function rowAt(starts: Uint32Array, line: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first rendered row and the one after the last, for `height` visible pixels from `top`. */
export function windowOf(starts: Uint32Array, top: number, height: number): [number, number] {
  const rows = starts.length - 1;
  if (rows === 0) return [0, 0];
  const from = rowAt(starts, Math.floor(top / line_px) - spare);
  const to = rowAt(starts, Math.ceil((top + height) / line_px) + spare);
  return [from, Math.min(rows, to + 1)];
}
