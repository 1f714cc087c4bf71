import type { Logger } from 'pino';
import type { Db, Pool, Transaction } from '../../platform/postgres/sql.ts';
import { addDownloads, type Download } from './downloads.ts';
import { addImpressions, type Impression } from './impressions.ts';
import { addPlaytime, type PlaytimeReport } from './playtime.ts';
import { addViews, type View } from './views.ts';

/** Finds the country of a network, ISO 3166; XX if it is not known. Never throws. */
export type CountryOf = (network: string) => string;

export interface UsageCounter {
  /** Each takes what happened into memory: returns at once and never throws. */
  count(download: Download): void;
  view(view: View): void;
  played(report: PlaytimeReport): void;
  /** An ad that somebody saw. */
  shown(impression: Impression): void;
  /** Number of downloads, views, reports and impressions that are in memory only. */
  waiting(): number;
  /** Writes what is in memory; errors are logged and it is kept for the next flush. */
  flush(): Promise<void>;
  /** Flushes once more and stops. */
  close(): Promise<void>;
}

/** Entries of each kind in memory; more are not counted, so that memory stays bounded. */
const max_waiting = 20_000;
/** Views of a project by one network in one flush that count: a page that reloads itself without end is no audience. */
const max_views_of_network = 30;
/** Impressions of one network in one flush that are kept in memory; how many count is decided when they are written. */
const max_ads_of_network = 60;

/** One batch of a kind and how it is written. */
interface Pending<T> {
  add(entry: T): void;
  size(): number;
  take(): T[];
}

/** Entries by a key, each stored once; with `undefined` as the key, every entry is. */
function pendingOf<T>(keyOf: (entry: T) => string | undefined): Pending<T> {
  let keyed = new Map<string | symbol, T>();
  return {
    add(entry) {
      const key = keyOf(entry) ?? Symbol('entry');
      if (keyed.size < max_waiting && !keyed.has(key)) keyed.set(key, entry);
    },
    size: () => keyed.size,
    take() {
      const taken = [...keyed.values()];
      keyed = new Map();
      return taken;
    },
  };
}

/** Says of each key whether it was not asked for more than `most` times since `clear`. */
function atMost(most: number): { counts(key: string): boolean; clear(): void } {
  const times = new Map<string, number>();
  return {
    counts(key) {
      const seen = times.get(key) ?? 0;
      if (seen >= most) return false;
      if (times.size < max_waiting || seen > 0) times.set(key, seen + 1);
      return true;
    },
    clear: () => times.clear(),
  };
}

/**
 * Counts downloads, views, playtime and impressions of ads in batches, flushed every 15 s: one download per network and project in a flush.
 * While the database is away, they are kept within limits. Countries are looked up when a batch is written, not on the way
 * of what is counted. Source: api-behaviours §10.
 */
export function usageCounter(
  { sql, log, now }: { sql: Pool; log: Pick<Logger, 'warn'>; now(): Date },
  { flush_ms = 15_000, countryOf = () => 'XX' }: { flush_ms?: number; countryOf?: CountryOf } = {},
): UsageCounter {
  const downloads = pendingOf<Download>(({ project_id, network }) => `${project_id} ${network}`);
  const views = pendingOf<View>(() => undefined);
  const reports = pendingOf<PlaytimeReport>(() => undefined);
  const impressions = pendingOf<Impression>(() => undefined);
  const viewsOf = atMost(max_views_of_network);
  const adsOf = atMost(max_ads_of_network);
  let running: Promise<void> | null = null;

  const placed = <T extends { country?: string; network: string }>(entry: T): T =>
    entry.country ? entry : { ...entry, country: countryOf(entry.network) };
  const write = async <T>(pending: Pending<T>, kind: string, add: (tx: Db, batch: T[]) => Promise<void>) => {
    const batch = pending.take();
    if (batch.length === 0) return true;
    try {
      await sql.begin(async (tx: Transaction) => await add(tx, batch));
      return true;
    } catch (error) {
      log.warn({ err: error, [kind]: batch.length }, `Could not count ${kind}; retrying with the next flush`);
      for (const entry of batch) pending.add(entry);
      return false;
    }
  };
  const writeAll = async () => {
    viewsOf.clear();
    adsOf.clear();
    const written = [
      await write(
        downloads,
        'downloads',
        async (tx, batch) => await addDownloads(tx, batch.map(placed), now()),
      ),
      await write(views, 'views', async (tx, batch) => await addViews(tx, batch.map(placed), now())),
      await write(reports, 'playtime', async (tx, batch) => await addPlaytime(tx, batch.map(placed))),
      await write(impressions, 'impressions', async (tx, batch) => await addImpressions(tx, batch, now())),
    ];
    if (written.includes(false)) return;
    await forget(sql, now()).catch((error: unknown) =>
      log.warn({ err: error }, 'Could not delete expired download windows; retrying with the next flush'),
    );
  };
  const flush = async () => {
    await running;
    running = writeAll();
    await running;
    running = null;
  };
  const timer = setInterval(() => {
    if (!running) void flush();
  }, flush_ms);
  timer.unref();

  return {
    count: downloads.add,
    view(view) {
      if (viewsOf.counts(`${view.network} ${view.path}`)) views.add(view);
    },
    played: reports.add,
    shown(impression) {
      if (adsOf.counts(impression.network)) impressions.add(impression);
    },
    waiting: () => downloads.size() + views.size() + reports.size() + impressions.size(),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Deletes expired windows in batches; several processes do not block each other. */
async function forget(sql: Pool, now: Date): Promise<void> {
  await sql`
    delete from download_windows where ctid = any(array(
      select ctid from download_windows where until <= ${now} limit 10000 for update skip locked))`;
}
