/** Marks of direction: invisible, and in copies of Arabic numbers. */
const marks = /[\u061c\u200e\u200f]/g;

/**
 * A number as people type it, with ASCII digits and a point: ` 12,5 ` and `١٢٫٥` are `12.5`. What is no number stays none. Runs
 * at the server and in pages.
 */
export const plainNumber = (typed: string): string =>
  typed
    .replace(marks, '')
    .trim()
    // the last four bits of Arabic digits, and of Persian ones, are their value
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[,٫]/g, '.');

/**
 * Minor units of an amount that was typed in a form, such as `12.34`; null when it is none, or has more decimals than its
 * currency. Signs of thousands are refused: `1,250` may mean two amounts.
 */
export function minorTyped(typed: string, decimals = 2): number | null {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(plainNumber(typed)) ?? [];
  if (whole === undefined || part.length > decimals) return null;
  return Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0'));
}
