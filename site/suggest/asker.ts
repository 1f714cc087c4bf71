import { apiFetch } from '../api/client.ts';

export interface Suggestion {
  project_id: string;
  slug: string;
  title: string;
  project_type: string;
  icon_url: string | null;
  author: string;
}

/** What became of a question: its projects, or why there are none. */
export type Told = Suggestion[] | 'failed' | 'offline';

interface Ears {
  told(query: string, told: Told): void;
  /** Called when an answer takes so long that one should see it is awaited. */
  waits(): void;
}

const pause_ms = 120;
const quiet_ms = 300;
const most_kept = 100;

/**
 * Asks for suggestions: only once one pauses, one question at a time (a newer one ends the older), none twice while
 * `forget` was not called. Only the answer to the latest question is told.
 */
export function createAsker({ told, waits }: Ears) {
  const known = new Map<string, Suggestion[]>();
  let asking = new AbortController();
  let soon: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    asking.abort();
    clearTimeout(soon);
    clearTimeout(late);
  };

  async function send(query: string): Promise<void> {
    asking = new AbortController();
    const { signal } = asking;
    late = setTimeout(waits, quiet_ms);
    const path = `/_internal/suggest?${new URLSearchParams({ q: query })}`;
    const answer = await apiFetch<Suggestion[]>(path, { signal, max_retry_wait_ms: 1_000 });
    if (signal.aborted) return;
    clearTimeout(late);
    if (!answer.ok) return told(query, navigator.onLine ? 'failed' : 'offline');
    if (known.size < most_kept) known.set(query, answer.data);
    told(query, answer.data);
  }

  return {
    ask(query: string): void {
      stop();
      const before = known.get(query);
      if (before) told(query, before);
      else soon = setTimeout(send, pause_ms, query);
    },
    stop,
    /** What was answered so far may have changed since. */
    forget: () => known.clear(),
  };
}
