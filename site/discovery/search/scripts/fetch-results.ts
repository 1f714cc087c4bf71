import { requestFrom } from '../../../platform/browser/api-client.ts';
import { $lastResponse } from '../../../platform/browser/connection.store.ts';
import { wait } from '../../../platform/browser/loading.store.ts';

/** Why there is no answer: too many requests, anything else. */
export type FetchError = 'busy' | 'failed';
/** The results, or why there are none; null when a newer request replaced this one. */
export type FetchResult<View> = { view: View } | { error: FetchError; wait_ms: number } | null;

let inFlight = new AbortController();

/** Fetches the results for `query` (of the page at `base`); aborts an older request. */
export async function fetchResults<View>(base: string, query: string): Promise<FetchResult<View>> {
  inFlight.abort();
  inFlight = new AbortController();
  const { signal } = inFlight;
  const there = wait();
  try {
    const answer = await requestFrom(`/found${base}${query && `?${query}`}`, { signal });
    if (!answer) throw new Error('no answer');
    const wait_s = Number(answer.headers.get('retry-after')) || null;
    const wait_ms = (wait_s ?? 0) * 1000;
    $lastResponse.set({ status: answer.status, retry_after_s: wait_s });
    if (answer.status === 429 || answer.status === 503) return { error: 'busy', wait_ms };
    return answer.ok ? { view: (await answer.json()) as View } : { error: 'failed', wait_ms };
  } catch {
    if (signal.aborted) return null;
    $lastResponse.set({ status: 0, retry_after_s: null });
    return { error: 'failed', wait_ms: 0 };
  } finally {
    there();
  }
}
