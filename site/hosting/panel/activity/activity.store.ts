import { atom } from 'nanostores';
import { csvHead, csvLine, jsonLine } from '#db/hosting/servers/activity/export.ts';
import {
  type ActivityKind,
  max_activity_export,
  max_activity_page,
} from '#db/hosting/servers/activity/rules.ts';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import type { ApiError } from '../../../platform/browser/api-client.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { loadProblem } from '../core/resource.ts';

/** What was done on the server of the page, as far as it is loaded. */

/** Empty texts are no filter; days as the field of a date has them. */
interface Filter {
  person: string;
  kind: ActivityKind | '';
  since: string;
  until: string;
}

export const noFilter: Filter = { person: '', kind: '', since: '', until: '' };
export const $filter = atom<Filter>(noFilter);
export const $entries = atom<readonly ActivityEntry[] | null>(null);
/** Where older ones begin. */
export const $next = atom<number | null>(null);
export const $problem = atom<ApiError | null>(null);
export const $loading = atom(false);

const shown_at_once = 50;
const day_ms = 86_400_000;

/** A day of the user's calendar as the moment it begins, or with `days` so many later; undefined for what is no day. */
function momentOf(day: string, days = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const moment = new Date(year, month - 1, date + days);
  return Math.abs(moment.getTime()) < 8e15 - day_ms ? moment.toISOString() : undefined;
}

const messageOf = ({ person, kind, since, until }: Filter, before: number | null, limit: number) => ({
  ...(person && { person }),
  ...(kind && { kind }),
  ...(momentOf(since) && { since: momentOf(since) }),
  ...(momentOf(until, 1) && { until: momentOf(until, 1) }),
  ...(before !== null && { before }),
  limit,
});

/** Loads the newest entries, or with `older` those after what is shown. An answer for another filter is dropped. */
async function load(older: boolean): Promise<void> {
  const filter = $filter.get();
  $loading.set(true);
  const result = await requestFromPanel(
    'activity.list',
    messageOf(filter, older ? $next.get() : null, shown_at_once),
  );
  if ($filter.get() !== filter) return;
  $loading.set(false);
  if (!result.ok) {
    $problem.set(loadProblem(result.error));
    return;
  }
  $problem.set(null);
  $entries.set(older ? [...($entries.get() ?? []), ...result.data.entries] : result.data.entries);
  $next.set(result.data.next);
}
export const loadNewest = (): Promise<void> => load(false);
export const loadOlder = (): Promise<void> => load(true);

/** Shows what fits another filter. */
export function filterBy(part: Partial<Filter>): void {
  $filter.set({ ...$filter.get(), ...part });
  void loadNewest();
}

/**
 * Saves everything that fits the filter as a file, up to 10,000 entries, with their sentences. Gives why it failed, or
 * whether it was cut.
 */
export async function saveActivity(
  format: 'csv' | 'jsonl',
  name: string,
  text: (entry: ActivityEntry) => string,
): Promise<{ error: ApiError } | { cut: boolean }> {
  const filter = $filter.get();
  const lines = format === 'csv' ? [csvHead] : [];
  const line = format === 'csv' ? csvLine : jsonLine;
  let next: number | null = null;
  let count = 0;
  do {
    const result: Awaited<ReturnType<typeof requestFromPanel<'activity.list'>>> = await requestFromPanel(
      'activity.list',
      messageOf(filter, next, max_activity_page),
    );
    if (!result.ok) return { error: result.error };
    for (const entry of result.data.entries) lines.push(line({ ...entry, text: text(entry) }));
    count += result.data.entries.length;
    next = result.data.next;
  } while (next !== null && count < max_activity_export);
  const type = format === 'csv' ? 'text/csv' : 'application/jsonl';
  const address = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type }));
  Object.assign(document.createElement('a'), { href: address, download: `${name}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return { cut: next !== null };
}
