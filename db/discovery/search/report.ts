import { stat } from 'node:fs/promises';
import { type Cursor, cursorOf } from '../../platform/events/read.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { searchServer, serverCursor } from './consumers.ts';
import { snapshotFolder } from './create-engine.ts';
import type { EmbeddedStatus } from './embedded/engine.ts';
import { format } from './embedded/format.ts';
import { countEventsAfter, whyNotContinued } from './embedded/pending-changes.ts';
import type { Facts } from './embedded/segment-file.ts';
import { factsOf } from './embedded/segment-file-read.ts';
import { baseFiles, generationsIn } from './embedded/snapshots.ts';
import type { EngineName, SearchStatus } from './engine.ts';
import { freshStatus } from './fresh-status.ts';
import type { SearchContext } from './search-context.ts';

/** Response of `/searchz` of a site. */
export type SiteStatus = SearchStatus & Partial<EmbeddedStatus>;

export interface StoredSnapshot extends Facts {
  /** size of both its files */
  bytes: number;
  /** Why it would not be loaded, or null. */
  unusable: string | null;
}

export interface SearchReport {
  /** The engine named by SEARCH_ENGINE. */
  chosen: EngineName;
  /** Whether a site is running; then everything but the snapshot is its own report. */
  running: boolean;
  /** The active engine; without a site, the one that will answer first. */
  engine: EngineName;
  ready: boolean;
  documents: number;
  /** Events not yet in that engine's index, 10,000 at most; null when it was never built. */
  cursor_lag: number | null;
  /** Size of that engine's index. */
  bytes: number;
  /** The newest snapshot on disk. */
  snapshot: {
    generation: number;
    age_s: number;
    documents: number;
    bytes: number;
    unusable: string | null;
  } | null;
  last_build: { ms: number; documents: number; ended: string } | null;
  /** Queued searches. */
  waiting: number | null;
}

type ReportContext = Pick<SearchContext, 'settings' | 'sql' | 'searchIndex' | 'now'>;

/** Search status of this installation; `site` is the report of a running site. Source: decisions §2.2. */
export async function searchReport(record: ReportContext, site: SiteStatus | null): Promise<SearchReport> {
  const { settings, sql, now } = record;
  const embedded = settings.SEARCH_ENGINE === 'embedded';
  const snapshot = embedded ? await newestSnapshot(record) : null;
  const status = site ?? (await indexStatus(record, snapshot));
  return {
    chosen: settings.SEARCH_ENGINE,
    running: site !== null,
    engine: status.engine,
    ready: status.ready,
    documents: status.documents,
    cursor_lag:
      status.engine === 'embedded' ? (status.cursor_lag ?? null) : await storedLag(sql, status.engine),
    bytes: status.bytes,
    snapshot: snapshot && {
      generation: snapshot.generation,
      age_s: Math.round((now().getTime() - snapshot.built) / 1000),
      documents: snapshot.documents,
      bytes: snapshot.bytes,
      unusable: snapshot.unusable,
    },
    last_build: snapshot && {
      ms: snapshot.took_ms,
      documents: snapshot.documents,
      ended: new Date(snapshot.built).toISOString(),
    },
    waiting: status.waiting ?? null,
  };
}

/** The newest snapshot of this installation, with its header checked but not its sections; null when there is none. */
export async function newestSnapshot({
  settings,
  sql,
  now,
}: Omit<ReportContext, 'searchIndex'>): Promise<StoredSnapshot | null> {
  const folder = snapshotFolder(settings);
  const generation = generationsIn(folder)[0];
  if (generation === undefined) return null;
  const files = baseFiles(folder, generation);
  const size = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
  const bytes = (await size(files.segment)) + (await size(files.bodies));
  try {
    const facts = await factsOf(files.segment);
    const unusable =
      facts.format === format
        ? await whyNotContinued(sql, facts, now().getTime())
        : 'it is of another format, made by another release';
    return { ...facts, bytes, unusable };
  } catch (error) {
    return { ...unreadable, generation, bytes, unusable: (error as Error).message };
  }
}

const unreadable: Facts = {
  format: '',
  generation: 0,
  origin: '',
  cursor: { xact: '0', id: 0 },
  documents: 0,
  built: 0,
  took_ms: 0,
  bodies: { length: 0, crc32: 0 },
};

/** The snapshot a site would load. */
async function indexStatus(
  { settings, sql, searchIndex }: ReportContext,
  snapshot: StoredSnapshot | null,
): Promise<SiteStatus> {
  const server = searchServer(settings);
  if (server) return await freshStatus(server).finally(() => server.close());
  if (!snapshot || snapshot.unusable) return await freshStatus(searchIndex);
  const { documents, bytes, generation, cursor } = snapshot;
  const cursor_lag = await countEventsAfter(sql, cursor);
  return { engine: 'embedded', ready: true, documents, bytes, generation, cursor_lag };
}

/** Lag of the index in the database, or on a search server. */
async function storedLag(sql: Db, engine: EngineName): Promise<number | null> {
  const cursor: Cursor | null = await cursorOf(sql, engine === 'opensearch' ? serverCursor : 'search');
  return cursor && (await countEventsAfter(sql, cursor));
}
