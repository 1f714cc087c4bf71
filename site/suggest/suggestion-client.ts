import { apiFetch } from '../browser/api-client.ts';

export interface Suggestion {
  project_id: string;
  slug: string;
  title: string;
  project_type: string;
  icon_url: string | null;
  author: string;
}

/** What became of a question: its projects, or why there are none. */
type SuggestResult = Suggestion[] | 'failed' | 'offline';

interface Callbacks {
  onResult(query: string, told: SuggestResult): void;
  /** Called when an answer takes long enough to show a loading state. */
  onWaiting(): void;
}

const pause_ms = 120;
const quiet_ms = 300;
const max_cached = 100;

/**
 * Requests suggestions: debounced, one request at a time (a newer one aborts the older), each text once until `forget`
 * is called. Only the answer to the latest request is reported.
 */
export function createSuggestionClient({ onResult, onWaiting }: Callbacks) {
  const known = new Map<string, Suggestion[]>();
  let in_flight = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let slow_timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    in_flight.abort();
    clearTimeout(timer);
    clearTimeout(slow_timer);
  };

  async function send(query: string): Promise<void> {
    in_flight = new AbortController();
    const { signal } = in_flight;
    slow_timer = setTimeout(onWaiting, quiet_ms);
    const path = `/_internal/suggest?${new URLSearchParams({ q: query })}`;
    const answer = await apiFetch<Suggestion[]>(path, { signal, max_retry_wait_ms: 1_000 });
    if (signal.aborted) return;
    clearTimeout(slow_timer);
    if (!answer.ok) return onResult(query, navigator.onLine ? 'failed' : 'offline');
    if (known.size < max_cached) known.set(query, answer.data);
    onResult(query, answer.data);
  }

  return {
    query(query: string): void {
      stop();
      const before = known.get(query);
      if (before) onResult(query, before);
      else timer = setTimeout(send, pause_ms, query);
    },
    stop,
    /** Clears the cache: answers may have changed since. */
    forget: () => known.clear(),
  };
}
