import type { Logger } from 'pino';
import { ConcurrencyLimiter } from '../../runtime/concurrency.ts';
import { requestNetwork } from '../../runtime/request-network.ts';
import type { Connect, Pool } from '../../sql.ts';
import { hitV2, hitV3 } from '../documents/hits.ts';
import type { Query, SearchEngine, SearchResult, SearchStatus } from '../engine.ts';
import { IndexSync } from './index-sync.ts';
import { defaults, type Limits } from './options.ts';
import { countEventsAfter } from './pending-changes.ts';
import { Searcher } from './searcher.ts';
import { type SearcherPort, WorkerFailed, WorkerGone } from './searcher-port.ts';

export interface EmbeddedStatus extends SearchStatus {
  /** Events that are not in the index yet, 10,000 at most, and projects whose change waits for a warm part. */
  cursor_lag: number;
  /** What the searcher answers from, null while Postgres answers. */
  snapshot: { generation: number; age_s: number; documents: number; bytes: number } | null;
  /** Documents in the snapshot, in what a builder put over it, and in what changed last. */
  parts: { base: number; warm: number; hot: number } | null;
  /** The build of that snapshot. */
  last_build: { ms: number; documents: number; ended: string } | null;
  /** Searches that wait for their turn. */
  waiting: number;
}

export interface EmbeddedEngine extends SearchEngine {
  status(): EmbeddedStatus;
  close(): Promise<void>;
}

interface Options {
  sql: Pool;
  /** Where builders find the database. */
  connect: Pick<Connect, 'address' | 'database'>;
  /** Where snapshots lie; several processes may share it. */
  folder: string;
  /** Answers while this engine has nothing to answer from. */
  fallback: SearchEngine;
  log: Logger;
  limits?: Partial<Limits>;
}

/** A status older than this is asked for anew, without waiting for it. */
const status_max_age_ms = 1_000;

/**
 * The engine that searches in this process: an index in a thread, kept in step by following the events, begun from a
 * snapshot in `folder`. `search` refuses `busy` (503) when 200 searches wait, 50 of one network, or one waited a second. `close` ends the
 * thread and what is being built. Source: search §4, §5.
 */
export const embeddedEngine = (options: Options): EmbeddedEngine => openEmbedded(options).engine;

/** The same with its parts, for tests that break them. */
export function openEmbedded({ sql, connect, folder, fallback, log, limits }: Options) {
  const searcher = new Searcher(log);
  const sync = new IndexSync({ sql, connect, folder, searcher, log, limits: { ...defaults, ...limits } });
  const limiter = new ConcurrencyLimiter({ max_running: 4, max_waiting: 200, timeout_ms: 1_000 });
  const lag = lagOf(sql, sync);

  /** Asks the thread; the fallback when there is none, when it ends meanwhile, and when it fails at this. */
  async function request<T>(
    work: (port: SearcherPort) => Promise<T>,
    otherwise: () => Promise<T>,
  ): Promise<T> {
    const { active } = sync;
    if (!active) return await otherwise();
    try {
      return await work(active.port);
    } catch (error) {
      if (error instanceof WorkerFailed) log.error({ err: error }, 'A search failed; Postgres answered it');
      else if (!(error instanceof WorkerGone)) throw error;
      return await otherwise();
    }
  }

  const engine: EmbeddedEngine = {
    name: 'embedded',
    search: (query: Query): Promise<SearchResult> =>
      request(
        (port) => limiter.run(() => port.request('search', { query }), requestNetwork.getStore()),
        () => fallback.search(query),
      ),
    hits: ({ ids, versionIds }, api) =>
      request(
        async (port) => {
          if (ids.length === 0) return [];
          const hit = api === 2 ? hitV2 : hitV3;
          const fields = await port.request('shown', { ids });
          return fields.flatMap((cached, i) => (cached ? [hit(cached, versionIds[i] ?? null)] : []));
        },
        () => fallback.hits({ ids, versionIds }, api),
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
    close: async () => {
      await Promise.all([sync.close(), searcher.close()]);
    },
  };
  return { engine, searcher, keeper: sync };
}

/** How many events wait, as it was a moment ago. */
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
        () => {}, // the database is away: the last known number stays
      );
    }
    return last;
  };
}
