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

/** A positive whole number. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above zero.');
  return Number(text);
}
