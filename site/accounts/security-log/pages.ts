import type { SecurityEntry } from '#db/platform/security-log/read.ts';

const per_page = 50;
/** One more than a page has, to see whether there are older ones. */
export const fetched = per_page + 1;

/** Where an address says that a page begins; undefined for the newest, and for what is no number. */
export function beforeOf({ searchParams }: URL): number | undefined {
  const given = searchParams.get('before') ?? '';
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

/** One page of what was fetched, and where the next one begins; null when there is none. */
export function onePage(found: readonly SecurityEntry[]): { entries: SecurityEntry[]; older: number | null } {
  const entries = found.slice(0, per_page);
  return { entries, older: found.length > per_page ? entries.at(-1)!.id : null };
}
