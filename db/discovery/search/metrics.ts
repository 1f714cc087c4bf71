import { Gauge, type Registry } from 'prom-client';
import { Refused } from '../../platform/errors.ts';
import { counter, durations, gauge } from '../../platform/runtime/metrics.ts';
import type { EmbeddedStatus } from './embedded/engine.ts';
import type { Query, SearchEngine, SearchStatus } from './engine.ts';

export const kinds = ['browse', 'letters', 'word', 'words'] as const;
const letters = 3;

/**
 * Kind of a query: no text, one word of up to three letters (many names start with it), one word, several. Typos and
 * partial words are known only from the result.
 */
export function kindOf({ text }: Pick<Query, 'text'>): (typeof kinds)[number] {
  const tokens = text.trim();
  if (tokens === '') return 'browse';
  if (/\s/.test(tokens)) return 'words';
  return [...tokens.slice(0, 2 * letters + 1)].length <= letters ? 'letters' : 'word';
}

/**
 * Wraps `engine` to record metrics in `registry`: duration by kind and filter, truncated and refused searches, running
 * and waiting searches, and index sizes. Source: decisions §2.2.
 */
export function withMetrics<E extends SearchEngine>(engine: E, registry: Registry): E {
  const duration = durations(registry, 'search_seconds', 'How long searches took that were answered', [
    'kind',
    'filtered',
  ]);
  const counting = durations(registry, 'search_count_seconds', 'How long counts of filter options took', [
    'kind',
  ]);
  const cut = counter(registry, 'search_partial', 'Answers that a bound on work cut off', ['kind']);
  const refused = counter(registry, 'search_refused', 'Searches refused because too much was asked at once');
  let running = 0;
  gauge(registry, 'search_running', 'Searches asked and not answered yet', () => running);
  reportState(registry, () => engine.status());

  async function timed<T extends { partial: boolean }>(
    kind: string,
    answered: () => void,
    work: () => Promise<T>,
  ): Promise<T> {
    running++;
    try {
      const found = await work();
      answered();
      if (found.partial) cut.inc({ kind });
      return found;
    } catch (error) {
      if (error instanceof Refused && error.code === 'busy') refused.inc();
      throw error;
    } finally {
      running--;
    }
  }

  return {
    ...engine,
    search(query) {
      const kind = kindOf(query);
      const filtered = String(query.filter !== null || query.only !== undefined);
      return timed(kind, duration.startTimer({ kind, filtered }), () => engine.search(query));
    },
    count(query) {
      const kind = kindOf(query);
      return timed(kind, counting.startTimer({ kind }), () => engine.count(query));
    },
  };
}

const engines = ['postgres', 'embedded', 'opensearch'] as const;

/** Status of the engine; unknown values become NaN. */
function reportState(registry: Registry, status: () => SearchStatus & Partial<EmbeddedStatus>): void {
  const reported: Record<string, [string, () => number | undefined]> = {
    search_ready: ['1 while the search answers', () => Number(status().ready)],
    search_documents: ['Projects that can be found', () => status().documents],
    search_bytes: ['Bytes of the index that answers', () => status().bytes],
    search_generation: ['Grows with every change of the index', () => status().generation],
    search_waiting: ['Searches that wait for their turn', () => status().waiting],
    search_cursor_lag: ['Events not in the index yet, 10000 at most', () => status().cursor_lag],
    search_base_documents: ['Documents of the snapshot', () => status().parts?.base],
    search_warm_documents: ['Documents in what was built over the snapshot', () => status().parts?.warm],
    search_hot_documents: ['Documents in what changed last', () => status().parts?.hot],
    search_snapshot_age_seconds: ['Since the snapshot was built', () => status().snapshot?.age_s],
    search_snapshot_bytes: ['Bytes of the snapshot', () => status().snapshot?.bytes],
  };
  for (const [name, [help, read]] of Object.entries(reported))
    gauge(registry, name, help, () => read() ?? Number.NaN);
  new Gauge({
    name: 'search_engine',
    help: '1 for the active engine',
    labelNames: ['engine'],
    registers: [registry],
    collect() {
      for (const engine of engines) this.set({ engine }, Number(status().engine === engine));
    },
  });
}
