/** The one rule for names and summaries that are stored, wherever they come from. Pure, for entry points and browsers. */

/** Embeddings, overrides and isolates: they turn the text around a name (`\u202egnp.exe` looks like `exe.png`). Source: UAX #9. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;
const line_break = /[\p{Cc}\u2028\u2029]/u;
const visible = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows anything: neither blanks nor characters without a glyph alone. */
export const showsSomething = (text: string): boolean => visible.test(text);

/**
 * Whether a text has characters inside that no name may hold, wherever a name is refused instead of put right: control
 * characters, line breaks, and half characters.
 */
export const hasOddCharacters = (text: string): boolean =>
  line_break.test(text.trim()) || !text.isWellFormed();

const direction_mark = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Whether it has any mark of direction, also those that only nudge: for names that become names of files. */
export const hasDirectionMarks = (text: string): boolean => direction_mark.test(text);

const shown = (text: string): string => (showsSomething(text) ? text.trim() : '');

/** A name or summary as it is stored: line breaks are blanks, without marks of direction and blanks at its ends; empty when it shows nothing. */
export const oneLine = (text: string): string =>
  shown(
    text
      .replace(directions, '')
      .split(line_break)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' '),
  );

/** The same for a text of several lines, whose line breaks stay. */
export const plainLines = (text: string): string =>
  shown(
    text
      .replace(directions, '')
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ''),
  );
