import type { RefusalCode } from '../../../platform/errors.ts';

/** Rules for servers that sleep while nobody plays. */

/** What an owner may choose. */
export interface Sleep {
  /** Minutes without a player after which it sleeps; null: never. */
  after_minutes: number | null;
  /** Text that pings show while it sleeps, up to two lines; empty for the usual one. */
  motd: string;
}

export const sleep_minutes = { least: 5, usual: 15, most: 240 } as const;
/** Most lines of the text, and characters of each: the game shows about 45, codes of colours count too. */
export const motd_lines = 2;
export const motd_line_length = 100;

/** The text as it is stored: without space at the ends of its lines and without empty lines at its end. */
export const motdOf = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .join('\n')
    .trimEnd();

/** What is wrong with a text (`motdOf`), or null. */
export function whyNotMotd(text: string): 'lines' | 'long' | 'control' | null {
  const lines = text.split('\n');
  if (lines.length > motd_lines) return 'lines';
  if (lines.some((line) => line.length > motd_line_length)) return 'long';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return lines.some((line) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line)) || !text.isWellFormed()
    ? 'control'
    : null;
}

/** Whether a server may sleep after so many minutes. */
export const isSleepMinutes = (minutes: number): boolean =>
  Number.isInteger(minutes) && minutes >= sleep_minutes.least && minutes <= sleep_minutes.most;

/** Why a server cannot sleep like this, or null, with the data of the refusal. */
export function whyNotSleep({
  after_minutes,
  motd,
}: Sleep): { code: RefusalCode; data: Record<string, number> } | null {
  const { least, most } = sleep_minutes;
  if (after_minutes !== null && !isSleepMinutes(after_minutes))
    return { code: 'sleep_minutes_out_of_range', data: { least, most } };
  return whyNotMotd(motdOf(motd))
    ? { code: 'sleep_text_invalid', data: { lines: motd_lines, most: motd_line_length } }
    : null;
}
