import { $heard } from '../../ui/connection.store.ts';
import { wait } from '../../ui/loading.store.ts';

/** Why no answer came: no connection, too many questions, anything else. */
export type Trouble = 'offline' | 'busy' | 'failed';
/** What was found, or why not; null when a newer question took its place. */
export type Answer<View> = { view: View } | { trouble: Trouble; wait_ms: number } | null;

let asking = new AbortController();

/** Asks for what `query` (of the screen at `base`) finds; an older question still on its way is given up. */
export async function ask<View>(base: string, query: string): Promise<Answer<View>> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const there = wait();
  try {
    const answer = await fetch(`/found${base}${query && `?${query}`}`, { signal });
    const wait_s = Number(answer.headers.get('retry-after')) || null;
    const wait_ms = (wait_s ?? 0) * 1000;
    $heard.set({ status: answer.status, retry_after_s: wait_s });
    if (answer.status === 429 || answer.status === 503) return { trouble: 'busy', wait_ms };
    return answer.ok ? { view: (await answer.json()) as View } : { trouble: 'failed', wait_ms };
  } catch {
    if (signal.aborted) return null;
    $heard.set({ status: 0, retry_after_s: null });
    return { trouble: navigator.onLine ? 'failed' : 'offline', wait_ms: 0 };
  } finally {
    there();
  }
}
