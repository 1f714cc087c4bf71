/** Tables as files: CSV of RFC 4180, in UTF-8 with lines that end in CRLF. */
export type Cell = string | number;

/** Programs of spreadsheets run what begins with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return safe !== value || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes rows as CSV; a text that a spreadsheet would run is quoted, with an apostrophe before it. */
export const csvOf = (rows: ReadonlyArray<readonly Cell[]>): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Offers a text as a file to save. */
export function saveFile(name: string, type: 'text/csv' | 'application/json', text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // the browser has opened it by then
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
