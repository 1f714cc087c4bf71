import type { Logger } from 'pino';
import type { Connect, Pool } from '../../../platform/postgres/sql.ts';
import { ConcurrencyLimiter } from '../../../platform/runtime/concurrency.ts';
import { hitV2, hitV3 } from '../documents/hits.ts';
import type { Query, SearchEngine, SearchResult, SearchStatus } from '../engine.ts';
import { assertCountable } from '../query/count-steps.ts';
import { IndexSync } from './index-sync.ts';
import { defaults, type Limits } from './options.ts';
import { countEventsAfter } from './pending-changes.ts';
import { Searcher } from './searcher.ts';
import { type SearcherPort, WorkerFailed, WorkerGone } from './searcher-port.ts';

export interface EmbeddedStatus extends SearchStatus {
  /** Number of events not yet in the index, 10,000 at most, and of projects whose change waits for a warm layer. */
  cursor_lag: number;
  /** Contents of the searcher thread, null while Postgres answers. */
  snapshot: { generation: number; age_s: number; documents: number; bytes: number } | null;
  /** Documents in the base (snapshot), the warm layer, and the hot layer. */
  parts: { base: number; warm: number; hot: number } | null;
  /** When that snapshot was built. */
  last_build: { ms: number; documents: number; ended: string } | null;
  /** Queued searches. */
  waiting: number;
}

export interface EmbeddedEngine extends SearchEngine {
  status(): EmbeddedStatus;
  close(): Promise<void>;
}

interface Options {
  sql: Pool;
  /** Database connection for builders. */
  connect: Pick<Connect, 'address' | 'database'>;
  /** Folder of snapshots; several processes may share it. */
  folder: string;
  /** Answers while this engine is not ready. */
  fallback: SearchEngine;
  log: Logger;
  limits?: Partial<Limits>;
}

/** An older status is refreshed in the background. */
const status_max_age_ms = 1_000;

/**
 * The engine in this process: an index in a worker thread, loaded from a snapshot in `folder` and kept up to date by
 * following events. `search` refuses `busy` (503) when 200 searches are queued, 50 of one client network, or one
 * waited a second. `close` stops the thread and running builds. Source: search §4, §5.
 */
export const embeddedEngine = (options: Options): EmbeddedEngine => openEmbedded(options).engine;

/** The same with its parts, for tests that break them. */
export function openEmbedded({ sql, connect, folder, fallback, log, limits }: Options) {
  const searcher = new Searcher(log);
  const sync = new IndexSync({ sql, connect, folder, searcher, log, limits: { ...defaults, ...limits } });
  const limiter = new ConcurrencyLimiter({ max_running: 4, max_waiting: 200, timeout_ms: 1_000 });
  // one at a time: a search waits for at most one of them in the thread
  const counting = new ConcurrencyLimiter({ max_running: 1, max_waiting: 200, timeout_ms: 1_000 });
  const lag = lagOf(sql, sync);

  /**
   * Sends the request to the thread; uses the fallback when there is none, when it dies meanwhile, and when it fails
   * at this request.
   */
  async function request<T>(
    work: (port: SearcherPort) => Promise<T>,
    otherwise: () => Promise<T>,
  ): Promise<T> {
    const { active } = sync;
    if (!active) return await otherwise();
    try {
      return await work(active.port);
    } catch (error) {
      if (error instanceof WorkerFailed)
        log.error({ err: error }, 'A search failed in the searcher thread; Postgres answered it');
      else if (!(error instanceof WorkerGone)) throw error;
      return await otherwise();
    }
  }

  const engine: EmbeddedEngine = {
    name: 'embedded',
    search: (query: Query): Promise<SearchResult> =>
      request(
        (port) => limiter.run(() => port.request('search', { query })),
        () => fallback.search(query),
      ),
    count: async (query) => {
      assertCountable(query);
      return await request(
        (port) => counting.run(() => port.request('count', { query })),
        () => fallback.count(query),
      );
    },
    hits: ({ ids, versionIds }, api, settings) =>
      request(
        async (port) => {
          if (ids.length === 0) return [];
          const hit = api === 2 ? hitV2 : hitV3;
          const fields = await port.request('shown', { ids });
          return fields.flatMap((cached, i) =>
            cached ? [hit(cached, versionIds[i] ?? null, settings)] : [],
          );
        },
        () => fallback.hits({ ids, versionIds }, api, settings),
      ),
    status() {
      const { active } = sync;
      const own = {
        waiting: limiter.waiting,
        cursor_lag: lag(),
        snapshot: null,
        parts: null,
        last_build: null,
      };
      if (!active) return { ...fallback.status(), ...own };
      const { held: pinned, base, pending } = active;
      const { generation, documents, built, took_ms } = base.facts;
      return {
        ...own,
        cursor_lag: own.cursor_lag + pending.size,
        engine: 'embedded',
        ready: true,
        documents: pinned.documents,
        generation: pinned.generation,
        bytes: pinned.bytes,
        parts: { base: pinned.base, warm: pinned.warm, hot: pinned.hot },
        snapshot: {
          generation,
          age_s: Math.round((Date.now() - built) / 1000),
          documents,
          bytes: base.bytes,
        },
        last_build: { ms: took_ms, documents, ended: new Date(built).toISOString() },
      };
    },
    confirmedAt: () => sync.confirmed_at,
    close: async () => {
      await Promise.all([sync.close(), searcher.close()]);
    },
  };
  return { engine, searcher, keeper: sync };
}

/** Number of pending events, cached for a moment. */
function lagOf(sql: Pool, sync: IndexSync): () => number {
  let last = 0;
  let requested = 0;
  return () => {
    const { place } = sync;
    if (place && Date.now() - requested > status_max_age_ms) {
      requested = Date.now();
      countEventsAfter(sql, place).then(
        (events) => {
          last = events;
        },
        () => {}, // the database is down: keep the last known number
      );
    }
    return last;
  };
}
