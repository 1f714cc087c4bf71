import type { Logger } from 'pino';
import { requestNetwork } from '../runtime/request-network.ts';
import type { Connect, Pool } from '../sql.ts';
import { countEventsAfter } from './embedded/collect.ts';
import { Keeper } from './embedded/keeper.ts';
import { type Limits, usual } from './embedded/keeper-limits.ts';
import { Searcher } from './embedded/searcher.ts';
import { SearcherFailed, SearcherGone, type SearcherPort } from './embedded/searcher-port.ts';
import type { Found, Query, SearchEngine, SearchStatus } from './engine.ts';
import { Gate } from './gate.ts';
import { hitV2, hitV3 } from './hits.ts';

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
const fresh_ms = 1_000;

/**
 * The engine that searches in this process: an index in a thread, kept in step by following the events, begun from a
 * snapshot in `folder`. `search` refuses `busy` (503) when 200 searches wait, 50 of one network, or one waited a second. `close` ends the
 * thread and what is being built. Source: search §4, §5.
 */
export const embeddedEngine = (options: Options): EmbeddedEngine => openEmbedded(options).engine;

/** The same with its parts, for tests that break them. */
export function openEmbedded({ sql, connect, folder, fallback, log, limits }: Options) {
  const searcher = new Searcher(log);
  const keeper = new Keeper({ sql, connect, folder, searcher, log, limits: { ...usual, ...limits } });
  const gate = new Gate({ running: 4, waiting: 200, patience_ms: 1_000 });
  const lag = lagOf(sql, keeper);

  /** Asks the thread; the fallback when there is none, when it ends meanwhile, and when it fails at this. */
  async function ask<T>(work: (port: SearcherPort) => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    const { standing } = keeper;
    if (!standing) return await otherwise();
    try {
      return await work(standing.port);
    } catch (error) {
      if (error instanceof SearcherFailed) log.error({ err: error }, 'A search failed; Postgres answered it');
      else if (!(error instanceof SearcherGone)) throw error;
      return await otherwise();
    }
  }

  const engine: EmbeddedEngine = {
    name: 'embedded',
    search: (query: Query): Promise<Found> =>
      ask(
        (port) => gate.run(() => port.ask('search', { query }), requestNetwork.getStore()),
        () => fallback.search(query),
      ),
    hits: ({ ids, versionIds }, api) =>
      ask(
        async (port) => {
          if (ids.length === 0) return [];
          const hit = api === 2 ? hitV2 : hitV3;
          const shown = await port.ask('shown', { ids });
          return shown.flatMap((kept, i) => (kept ? [hit(kept, versionIds[i] ?? null)] : []));
        },
        () => fallback.hits({ ids, versionIds }, api),
      ),
    status() {
      const { standing } = keeper;
      const own = { waiting: gate.waiting, cursor_lag: lag(), snapshot: null, parts: null, last_build: null };
      if (!standing) return { ...fallback.status(), ...own };
      const { held, base, late } = standing;
      const { generation, documents, built, took_ms } = base.facts;
      return {
        ...own,
        cursor_lag: own.cursor_lag + late.size,
        engine: 'embedded',
        ready: true,
        documents: held.documents,
        generation: held.generation,
        bytes: held.bytes,
        parts: { base: held.base, warm: held.warm, hot: held.hot },
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
      await Promise.all([keeper.close(), searcher.close()]);
    },
  };
  return { engine, searcher, keeper };
}

/** How many events wait, as it was a moment ago. */
function lagOf(sql: Pool, keeper: Keeper): () => number {
  let last = 0;
  let asked = 0;
  return () => {
    const { place } = keeper;
    if (place && Date.now() - asked > fresh_ms) {
      asked = Date.now();
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
