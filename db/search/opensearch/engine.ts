import { ConcurrencyLimiter } from '../../runtime/concurrency.ts';
import { hitV2, hitV3 } from '../documents/hits.ts';
import type { SearchIndex } from '../engine.ts';
import { namesUnknownKey } from '../query/filter-keys.ts';
import { queryTokens } from '../query/tokenize.ts';
import { namesOf } from './names.ts';
import { nothing, storedOf, windowOf } from './read.ts';
import { asRefusal, openServer } from './server.ts';
import { isCurrent, statusOf } from './status.ts';
import { applyChanges, rebuildFrom } from './write.ts';

interface Options {
  /** Where the server is: http or https, a name and a password in it if it wants them. Never logged. */
  url: string;
  /** What its indices are called; one installation, one name. */
  name?: string;
  /** Into how many parts a new index is split. */
  shards?: number;
  /** How long a search may take. */
  timeout_ms?: number;
}

export interface OpenSearchEngine extends SearchIndex {
  /** Lets go of the connections. */
  close(): Promise<void>;
}

/**
 * The engine for installations beyond one machine: an OpenSearch server or cluster keeps the index, any number of
 * processes ask it. `search` and `hits` refuse `busy` (503) when the server does not answer in time, has too much to
 * do or has no index yet; what writes throws, for the reader of events to try again. Source: search §1, §4.
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
    hits: async ({ ids, versionIds }, api) => {
      const cached = await answered(() => storedOf(server, names, ids));
      const hit = api === 2 ? hitV2 : hitV3;
      return ids.flatMap((id, i) => {
        const one = cached.get(id);
        return one ? [hit(one, versionIds[i] ?? null)] : [];
      });
    },
    apply: async (changes) => known.changedTo(await applyChanges(server, names, changes)),
    rebuild: async (docs) => known.changedTo(await rebuildFrom(server, names, docs, shards)),
    current: () => isCurrent(server, names),
    status: known.status,
    close: () => server.close(),
  };
}
