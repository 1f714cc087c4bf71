import { InvalidArgumentError } from 'commander';

/** A line of text, or a table of objects. */
export type Plain = string | readonly object[];

/** Prints a value: as JSON for programs, else what `plain` makes of it for people. */
export async function show<T>(
  value: T,
  json: boolean,
  plain: (value: T) => Plain | Promise<Plain>,
): Promise<void> {
  if (json) printJson(value);
  else printPlain(await plain(value));
}

/** Prints a line of text or a table. */
export function printPlain(plain: Plain): void {
  if (typeof plain === 'string') console.log(plain);
  else print(plain);
}

/** Text that changes nothing of a terminal, whoever wrote it. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\u{fffd}');

/** Prints a value as JSON. */
export const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

/** Prints a table, or JSON for programs. */
export function print(rows: readonly object[], json = false): void {
  if (json) return void printJson(rows);
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
