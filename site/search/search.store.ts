import { atom } from 'nanostores';
import { call } from '../api/client.ts';
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

/** Asks the API for `state`; an older question still on its way is given up. Gives whether it failed. */
export async function ask(
  state: SearchState,
  type: string,
  failed: { title: string; text: string },
): Promise<boolean> {
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
  const answer = await call<{ hits: Array<Record<string, unknown>>; total_hits: number }>(
    `/v2/search?${query}`,
    {
      signal: own.signal,
    },
  );
  there();
  if (own.signal.aborted) return false;
  if (answer.ok) $found.set({ state, hits: answer.data.hits.map(slim), total: answer.data.total_hits });
  else say({ type: 'error', ...failed, error_code: answer.error.code });
  return !answer.ok;
}

/** Where the screen of `state` lies. */
export const addressOf = (base: string, state: SearchState, hl: string | null): string => {
  const query = queryOf(state) + (hl ? `${queryOf(state) ? '&' : ''}hl=${encodeURIComponent(hl)}` : '');
  return query === '' ? base : `${base}?${query}`;
};
