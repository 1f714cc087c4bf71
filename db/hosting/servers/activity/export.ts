import type { ActivityEntry } from './view.ts';

/** Activity as text for other programs: one line for each entry. */

const columns = ['at', 'kind', 'name', 'by', 'username', 'member', 'data', 'text'] as const;
type Row = ActivityEntry & { text: string };

/** The first line of the CSV. */
export const csvHead = columns.join(',');

/** One line of CSV; what a spreadsheet would take for a formula stands behind an apostrophe. */
export const csvLine = (row: Row): string => columns.map((column) => csvField(row[column])).join(',');

function csvField(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One JSON object. */
export const jsonLine = (row: Row): string => JSON.stringify(row);
