import type { ServerWarning } from './view.ts';

/** Warnings of agents, as they are kept with a server. Pure. */

/** Warnings of so many codes are kept, whatever an agent sends; there are seven codes. */
const max_codes = 8;
const max_detail = 500;
/** How long one is shown. */
const shown_ms = 86_400_000;

/** The warnings with one more: the newest of each code, newest first, of at most 8 codes. */
export function withWarning(known: readonly ServerWarning[], warning: ServerWarning): ServerWarning[] {
  const others = known.filter(({ code }) => code !== warning.code);
  const kept = { ...warning, detail: warning.detail.slice(0, max_detail) };
  return [kept, ...others].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, max_codes);
}

/** Those of the last day. */
export const newestWarnings = (known: readonly ServerWarning[], now: Date): ServerWarning[] =>
  known.filter(({ at }) => now.getTime() - Date.parse(at) < shown_ms);
