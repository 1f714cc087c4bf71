import type { Logger } from 'pino';
import { recordEvent } from '../events/write.ts';
import type { Db, Pool } from '../sql.ts';
import { type DownloadMeta, keepDownloadMeta } from './download-meta.ts';
import { networkHasher } from './network-hash.ts';

export interface Download {
  project_id: string;
  version_id: string;
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string;
  /** What the client said about it. */
  meta?: DownloadMeta | null;
}

export interface DownloadCounter {
  /** Buffers a download: returns at once and never throws. */
  count(download: Download): void;
  /** Number of buffered downloads. */
  waiting(): number;
  /** Writes the buffer; errors are logged and the buffer is kept for the next flush. */
  flush(): Promise<void>;
  /** Flushes once more and stops. */
  close(): Promise<void>;
}

/** Maximum size of the buffer; further downloads are not counted, so that memory stays bounded. */
const max_waiting = 20_000;

/**
 * Counts downloads in batches, flushed every 15 s: one per network and project in a flush, at most 6 until six hours
 * have passed since the last one. Ignores unknown versions. While the database is down, downloads are buffered within
 * limits. Source: api-behaviours §10.
 */
export function downloadCounter(
  { sql, log, now }: { sql: Pool; log: Pick<Logger, 'warn'>; now(): Date },
  { flush_ms = 15_000 } = {},
): DownloadCounter {
  let pending = new Map<string, Download>();
  let running: Promise<void> | null = null;

  const enqueue = (download: Download) => {
    const key = `${download.project_id} ${download.network}`;
    if (pending.size < max_waiting && !pending.has(key)) pending.set(key, download);
  };
  const write = async () => {
    const batch = [...pending.values()];
    pending = new Map();
    try {
      if (batch.length > 0) await sql.begin((tx) => addDownloads(tx, batch, now()));
    } catch (error) {
      log.warn(
        { err: error, downloads: batch.length },
        'Could not count downloads; retrying with the next flush',
      );
      batch.forEach(enqueue);
      return;
    }
    await forget(sql, now()).catch((error: unknown) =>
      log.warn({ err: error }, 'Could not delete expired download windows; retrying with the next flush'),
    );
  };
  const flush = async () => {
    await running;
    running = write();
    await running;
    running = null;
  };
  const timer = setInterval(() => {
    if (!running) void flush();
  }, flush_ms);
  timer.unref();

  return {
    count: enqueue,
    waiting: () => pending.size,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/**
 * Adds the counted downloads to versions and projects and records one `project.counted` with `{project_ids}`. Locks
 * projects before versions, by id, in the same order as publishing.
 */
async function addDownloads(tx: Db, downloads: readonly Download[], now: Date): Promise<void> {
  const hashOf = await networkHasher(tx);
  const sent = new Map(
    downloads.map(({ network, project_id, version_id, meta = null }) => {
      const address = hashOf(network);
      return [`${project_id} ${address}`, { address, project_id, version_id, meta }];
    }),
  );
  const keys = [...sent.values()].map(({ meta: _, ...key }) => key);
  const windows = await tx<Array<{ address: string; project_id: string }>>`
    insert into download_windows as w (address, project_id, counted, until)
    select address, s.project_id, 1, ${now}::timestamptz + interval '6 hours'
    from jsonb_to_recordset(${tx.json(keys)}) as s (address text, project_id text, version_id text)
    join versions v on v.id = s.version_id and v.project_id = s.project_id
    order by address, s.project_id
    on conflict (address, project_id) do update
      set counted = case when w.until <= ${now} then 1 else w.counted + 1 end, until = excluded.until
      where w.until <= ${now} or w.counted < 6
    returning w.address, w.project_id`;
  // joined here and not in SQL: a planner that expects few rows would use a nested loop
  const counted = windows.map(({ project_id, address }) => sent.get(`${project_id} ${address}`)!);
  if (counted.length === 0) return;
  const project_ids = [...new Set(counted.map(({ project_id }) => project_id))].sort();
  const version_ids = counted.map(({ version_id }) => version_id);
  await tx`select 1 from projects where id = any(${project_ids}) order by id for no key update`;
  await tx`select 1 from versions where id = any(${version_ids}) order by id for no key update`;
  await tx`
    update versions v set downloads = v.downloads + c.added
    from (select id, count(*) as added from unnest(${version_ids}::text[]) as id group by id) c where v.id = c.id`;
  await tx`
    update projects p set downloads = p.downloads + c.added
    from (select id, count(*) as added from unnest(${counted.map(({ project_id }) => project_id)}::text[]) as id group by id) c
    where p.id = c.id`;
  await keepDownloadMeta(tx, counted, now);
  await recordEvent(tx, { name: 'project.counted', data: { project_ids } });
}

/** Deletes expired windows in batches; several processes do not block each other. */
async function forget(sql: Pool, now: Date): Promise<void> {
  await sql`
    delete from download_windows where ctid = any(array(
      select ctid from download_windows where until <= ${now} limit 10000 for update skip locked))`;
}
