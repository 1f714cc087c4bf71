import { finished } from 'node:stream/promises';
import type { Db } from '../../sql.ts';

export type Cell = string | number | boolean | null | readonly string[];

const escaped = (text: string): string =>
  text.replace(
    /[\\\t\n\r]/g,
    (char) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[char] as string,
  );

const element = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function cell(value: Cell): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'object') return escaped(`{${value.map(element).join(',')}}`);
  return String(value);
}

/** Writes rows with COPY: about ten times as fast as inserts. All rows have the keys of the first, in its order. */
export async function copy(db: Db, table: string, rows: ReadonlyArray<Record<string, Cell>>): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const into = await db`copy ${db(table)} (${db(columns)}) from stdin`.writable();
  into.end(rows.map((row) => `${columns.map((name) => cell(row[name] ?? null)).join('\t')}\n`).join(''));
  await finished(into);
}
