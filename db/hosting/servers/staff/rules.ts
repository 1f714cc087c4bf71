/** How staff look for servers of others. */

/** Most servers on one page of a search, and the usual number. */
export const pageSizes = { most: 50, usual: 25 } as const;
/** Servers that match a search are counted up to this number. */
export const max_counted = 1_000;
/** Longest text that is searched for: more than any name or address has. */
export const max_query = 300;

/** States that a search can ask for; a server is in at most one of them, but `moving` and `unpaid` go beside any. */
export const searchedStates = [
  'running',
  'stopped',
  'crashed',
  'unreachable',
  'setting_up',
  'resizing',
  'suspended',
  'broken',
  'moving',
  'unpaid',
] as const;
export type SearchedState = (typeof searchedStates)[number];

/** A search text as an address: host and port, `host:port` or either alone. */
export function addressIn(text: string): { host: string; port: number | null } {
  const [, host = '', digits = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  return digits === '' ? { host: text, port: null } : { host, port: Number(digits) };
}
