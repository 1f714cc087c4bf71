import { atom } from 'nanostores';
import { wait } from '../ui/loading.store.ts';
import { say } from '../ui/messages.store.ts';
import { type Hit, slim } from './hit.ts';
import { facetsOf, queryOf, type SearchState } from './state.ts';

export interface Found {
  state: SearchState;
  hits: Hit[];
  total: number;
}

/** The newest answer; null until something was asked for in this browser. */
export const $found = atom<Found | null>(null);

let asking: AbortController | null = null;

/** Asks the API for `state`; an older question still on its way is given up. */
export async function ask(
  state: SearchState,
  type: string,
  failed: { title: string; text: string },
): Promise<void> {
  asking?.abort();
  const own = new AbortController();
  asking = own;
  const there = wait();
  const query = new URLSearchParams({
    query: state.text,
    facets: JSON.stringify(facetsOf(state, type)),
    index: state.sort,
    offset: String((state.page - 1) * state.size),
    limit: String(state.size),
  });
  try {
    const answer = await fetch(`/v2/search?${query}`, { signal: own.signal });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const { hits, total_hits } = (await answer.json()) as {
      hits: Array<Record<string, unknown>>;
      total_hits: number;
    };
    if (!own.signal.aborted) $found.set({ state, hits: hits.map(slim), total: total_hits });
  } catch (error) {
    if (!own.signal.aborted) say({ type: 'error', ...failed, error_code: String(error) });
  } finally {
    there();
  }
}

/** Where the screen of `state` lies. */
export const addressOf = (base: string, state: SearchState, hl: string | null): string => {
  const query = queryOf(state) + (hl ? `${queryOf(state) ? '&' : ''}hl=${encodeURIComponent(hl)}` : '');
  return query === '' ? base : `${base}?${query}`;
};
