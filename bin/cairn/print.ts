import { InvalidArgumentError } from 'commander';

/** Prints a table, or JSON for programs. */
export function print(rows: readonly object[], json = false): void {
  if (json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const [first] = rows as Array<Record<string, unknown>>;
  if (!first) {
    console.log('none');
    return;
  }
  const keys = Object.keys(first);
  const cells = rows.map((row) => keys.map((key) => String((row as Record<string, unknown>)[key] ?? '')));
  const widths = keys.map((key, i) => Math.max(key.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  for (const row of [keys, ...cells]) console.log(line(row));
}

/** A positive whole number below a billion. */
export const positive = (text: string): number => wholeNumber(text, 9);

/** A number of bytes: a positive whole number below a thousand terabytes. */
export const byteCount = (text: string): number => wholeNumber(text, 15);

function wholeNumber(text: string, digits: number): number {
  if (!/^[1-9]\d*$/.test(text) || text.length > digits)
    throw new InvalidArgumentError('It must be a whole number above zero.');
  return Number(text);
}
