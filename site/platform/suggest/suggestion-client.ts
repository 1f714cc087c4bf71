import { apiFetch } from '../browser/api-client.ts';

export interface SuggestedProject {
  project_id: string;
  slug: string;
  title: string;
  project_type: string;
  icon_url: string | null;
  author: string;
}

/** A project type, or a category of one. */
export interface SuggestedPlace {
  path: string;
  name: string;
  /** The name of the type of a category. */
  type_name: string | null;
  count: string;
}

export interface Suggestions {
  places: SuggestedPlace[];
  projects: SuggestedProject[];
}

interface Options {
  /** The language of the names, and the project type of the page if it has one. */
  about: Readonly<Record<string, string>>;
  /** Called with the suggestions, or null when there is no answer. */
  onResult(query: string, told: Suggestions | null): void;
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
export function createSuggestionClient({ about, onResult, onWaiting }: Options) {
  const known = new Map<string, Suggestions>();
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
    const answer = await apiFetch('GET /_internal/suggest', {
      query: { q: query, ...about },
      signal,
      max_retry_wait_ms: 1_000,
    });
    if (signal.aborted) return;
    clearTimeout(slow_timer);
    if (!answer.ok) return onResult(query, null);
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
