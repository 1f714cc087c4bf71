import { ConcurrencyLimiter } from '../../../platform/runtime/concurrency.ts';
import { hitV2, hitV3 } from '../documents/hits.ts';
import type { SearchIndex } from '../engine.ts';
import { namesUnknownKey } from '../query/filter-keys.ts';
import { queryTokens } from '../query/tokenize.ts';
import { namesOf } from './names.ts';
import { countOptions } from './option-counts.ts';
import { nothing, storedOf, windowOf } from './read.ts';
import { asRefusal, openServer } from './server.ts';
import { isCurrent, statusOf } from './status.ts';
import { applyChanges, rebuildFrom } from './write.ts';

interface Options {
  /** URL of the server: http or https, with credentials if needed. Never logged. */
  url: string;
  /** Prefix of its index names, one per installation. */
  name?: string;
  /** Number of shards of a new index. */
  shards?: number;
  /** Timeout of a search. */
  timeout_ms?: number;
}

export interface OpenSearchEngine extends SearchIndex {
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * The engine for installations with several machines: an OpenSearch server or cluster stores the index, any number of
 * processes search it. `search` and `hits` refuse `busy` (503) when the server times out, is overloaded or has no
 * index yet; writes throw, and the event consumer retries. Source: search §1, §4.
 */
export function openSearchEngine({
  url,
  name = 'cairn-projects',
  shards = 1,
  timeout_ms = 3_000,
}: Options): OpenSearchEngine {
  const server = openServer(url, timeout_ms);
  const names = namesOf(name);
  const limiter = new ConcurrencyLimiter({ max_running: 32, max_waiting: 200, timeout_ms: 1_000 });
  const known = statusOf(server, names);
  const answered = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await limiter.run(work);
    } catch (error) {
      throw asRefusal(error);
    }
  };

  return {
    name: 'opensearch',
    search: async (query) => {
      const { filter, text } = query;
      const wordless = text.trim() !== '' && queryTokens(text).length === 0;
      const window =
        namesUnknownKey(filter) || wordless ? nothing : await answered(() => windowOf(server, names, query));
      return { ...window, generation: known.generation(), partial: false };
    },
    count: async (query) => ({
      counts: await answered(() => countOptions(server, names, query)),
      generation: known.generation(),
      partial: false,
    }),
    hits: async ({ ids, versionIds }, api, settings) => {
      const cached = await answered(() => storedOf(server, names, ids));
      const hit = api === 2 ? hitV2 : hitV3;
      return ids.flatMap((id, i) => {
        const one = cached.get(id);
        return one ? [hit(one, versionIds[i] ?? null, settings)] : [];
      });
    },
    apply: async (changes) => known.changedTo(await applyChanges(server, names, changes)),
    rebuild: async (docs) => known.changedTo(await rebuildFrom(server, names, docs, shards)),
    current: () => isCurrent(server, names),
    status: known.status,
    close: () => server.close(),
  };
}
