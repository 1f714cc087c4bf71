import { timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { type HiddenFiles, hiddenFilesOf } from '#db/catalogue/versions/hidden-files.ts';
import { subscribe } from '#db/platform/events/subscription.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import { fileKeyParameter } from '#db/platform/storage/url.ts';
import { purger } from './page-cache/purge.ts';
import { repeatedRead } from './repeated-read.ts';
import { storedPathsBelow } from './stored-paths.ts';

/** Which files of versions only members and staff may load. Consulted for every stored file, so it answers from memory. */
export interface HiddenFileList {
  /**
   * Whether the file with this storage key is `open` to everybody, `shown` because the address holds the key that members
   * and staff are told, or `hidden`; `unknown` until the list was read for the first time.
   */
  access(key: string, url: string): 'open' | 'shown' | 'hidden' | 'unknown';
  close(): Promise<void>;
}

interface Options {
  sql: Pool;
  storage: Pick<Storage, 'list'>;
  settings: Pick<Settings, 'PURGE_URL'>;
  log: Logger;
  /** How often the whole list is read without an event, in case events were missed. */
  poll_ms?: number;
}

/** Of one project: the key in its addresses, and which of its versions are hidden; null for all. */
interface Entry {
  file_key: string;
  versions: Set<string> | null;
}

const shows = /^(project\.(?!counted)|version\.|catalogue\.loaded)/;

/**
 * Tracks projects and versions that are hidden: reads all at start, after a gap and every `poll_ms`, and after an event those
 * of its projects. While the database is down the last list stays in use. What becomes hidden is purged from the CDN.
 */
export function hiddenFiles({ sql, storage, settings, log, poll_ms = 300_000 }: Options): HiddenFileList {
  const purge = purger(settings.PURGE_URL, log);
  let list: Map<string, Entry> | null = null;
  /** Projects to read again; null for all. */
  let wanted: Set<string> | null = null;

  async function read(): Promise<void> {
    const ids = list === null || wanted === null ? null : [...wanted];
    wanted = new Set();
    try {
      const next = byProject(await hiddenFilesOf(sql, ids));
      const before: Map<string, Entry> | null = list;
      const kept = ids === null || before === null ? [] : [...before].filter(([id]) => !ids.includes(id));
      list = new Map([...kept, ...next]);
      if (before && settings.PURGE_URL)
        for (const id of next.keys()) if (!before.has(id)) await purgeFiles(`data/${id}/versions`);
    } catch (error) {
      wanted = ids === null || wanted === null ? null : new Set([...ids, ...wanted]);
      throw error;
    }
  }

  const purgeFiles = async (folder: string) => purge({ paths: await storedPathsBelow(storage, folder) });

  const reads = repeatedRead(read, {
    ...{ log, poll_ms },
    problem: 'The list of hidden files could not be read; the last list stays in use until the next try',
    onPoll: () => {
      wanted = null;
    },
  });

  function refresh(ids: readonly string[] | null): void {
    wanted = ids === null || wanted === null ? null : new Set([...wanted, ...ids]);
    reads.soon();
  }

  const events = subscribe(
    sql,
    {
      onEvents(changes) {
        const ids = changes.flatMap(({ name, project_id }) =>
          shows.test(name) && project_id ? project_id : [],
        );
        if (ids.length > 0) refresh([...new Set(ids)]);
      },
      onGap: () => refresh(null),
      onConnected: () => refresh(null), // what was hidden between the first read and the first event
    },
    { log },
  );
  refresh(null);
  return {
    access(key, url) {
      if (!list) return 'unknown';
      const [, project = '', folder, version = ''] = key.split('/', 4);
      const entry = folder === 'versions' ? list.get(project) : undefined;
      if (!entry || (entry.versions && !entry.versions.has(version))) return 'open';
      return holdsKey(url, entry.file_key) ? 'shown' : 'hidden';
    },
    async close() {
      const read_last = reads.close();
      await events.stop();
      await read_last;
    },
  };
}

function byProject(rows: readonly HiddenFiles[]): Map<string, Entry> {
  const list = new Map<string, Entry>();
  for (const { project_id, version_id, file_key } of rows) {
    const entry = list.get(project_id);
    if (version_id === null) list.set(project_id, { file_key, versions: null });
    else if (entry) entry.versions?.add(version_id);
    else list.set(project_id, { file_key, versions: new Set([version_id]) });
  }
  return list;
}

function holdsKey(url: string, file_key: string): boolean {
  const at = url.indexOf('?');
  const sent = at < 0 ? null : new URLSearchParams(url.slice(at + 1)).get(fileKeyParameter);
  const [given, right] = [Buffer.from(sent ?? ''), Buffer.from(file_key)];
  return given.length === right.length && timingSafeEqual(given, right);
}
