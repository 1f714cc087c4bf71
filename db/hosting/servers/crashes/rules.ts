/** What may be wrong with a server, read from its log by rules that are data. Nothing leaves this machine for it. */

/** Pages of the panel that a cause leads to. */
export const crashLinks = [
  'startup',
  'content',
  'properties',
  'loader',
  'backups',
  'files',
  'plans',
] as const;
export type CrashLink = (typeof crashLinks)[number];

/**
 * What a line says when a cause is the one: all of it in lower case. `take` finds what it is about (a mod, a file) in its group
 * `what`. Every repetition in it is bounded, so that no line takes long; a test looks at that.
 */
interface CrashPattern {
  has: string;
  /** More that the line must contain. */
  and?: string;
  take?: RegExp;
}
export interface CrashRule {
  cause: string;
  patterns: readonly CrashPattern[];
  link: CrashLink | null;
}

/** Bounds of what is read: bytes of a text, characters of a line, causes of an answer. */
export const max_log_bytes = 1024 * 1024;
export const max_line_characters = 2_000;
/** The last lines of a text that are read. */
export const max_lines = 20_000;
export const max_findings = 6;
