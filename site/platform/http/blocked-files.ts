import type { Logger } from 'pino';
import { type Blocked, blockedFilesOf, type FilesBlock } from '#db/catalogue/projects/malware.ts';
import { subscribe } from '#db/platform/events/subscription.ts';
import { copiesOf, smallestCopy } from '#db/platform/files/image-copies.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import { purger } from './page-cache/purge.ts';
import { repeatedRead } from './repeated-read.ts';
import { storedPath, storedPathsBelow } from './stored-paths.ts';

/** Which stored files are blocked. Consulted for every stored file, so it answers from memory. */
export interface BlockedFiles {
  /**
   * Why the file with this storage key is blocked: one of a project, or an image of its texts. Null when it is served,
   * `unknown` until the list was read for the first time.
   */
  reason(key: string): FilesBlock | 'unknown' | null;
  close(): Promise<void>;
}

interface Options {
  sql: Pool;
  storage: Pick<Storage, 'list'>;
  settings: Pick<Settings, 'PURGE_URL'>;
  log: Logger;
  /** How often the list is read without an event, in case events were missed. */
  poll_ms?: number;
}

/** Events of versions after which their files are blocked or served again. */
const shows = new Set(['version.held', 'version.released']);

/**
 * Tracks legal holds and projects rejected as malware: reads the list at start, at each project event and every
 * `poll_ms`. While the database is down the last list stays in use. Files that become blocked or unblocked are purged
 * from the CDN; at start, all blocked ones are. Source: decisions §1.8; api-behaviours §15.
 */
export function blockedFiles({ sql, storage, settings, log, poll_ms = 15_000 }: Options): BlockedFiles {
  const purge = purger(settings.PURGE_URL, log);
  let blocked: Blocked | null = null;
  async function read(): Promise<void> {
    const next = await blockedFilesOf(sql);
    const before = blocked ?? { projects: new Map(), versions: new Map(), images: new Map() };
    blocked = next;
    if (!settings.PURGE_URL) return;
    const images = changed(before.images, next.images);
    if (images.length > 0)
      purge({
        paths: images.flatMap((key) => [key, ...copiesOf(key).map(({ name }) => name)]).map(storedPath),
      });
    for (const id of changed(before.projects, next.projects)) await purgeFiles(`data/${id}`);
    for (const id of changed(before.versions, next.versions)) {
      const { project_id } = (next.versions.get(id) ?? before.versions.get(id))!;
      await purgeFiles(`data/${project_id}/versions/${id}`);
    }
  }

  const purgeFiles = async (folder: string) => purge({ paths: await storedPathsBelow(storage, folder) });

  const list = repeatedRead(read, {
    ...{ log, poll_ms },
    problem: 'The list of blocked files could not be read; the last list stays in use until the next try',
  });
  const events = subscribe(
    sql,
    {
      onEvents: (changes) => {
        if (
          changes.some(
            ({ name }) => shows.has(name) || (name.startsWith('project.') && name !== 'project.counted'),
          )
        )
          list.soon();
      },
      onGap: list.soon,
      onConnected: list.soon, // what was blocked between the first read and the first event
      onDisconnect: list.soon,
    },
    { log },
  );
  list.soon();
  return {
    reason(key) {
      if (!blocked) return 'unknown';
      const [, project = '', , version = ''] = key.split('/');
      return (
        blocked.projects.get(project) ??
        blocked.versions.get(version)?.reason ??
        blocked.images.get(smallestCopy(key)) ??
        null
      );
    },
    async close() {
      const read_last = list.close();
      await events.stop();
      await read_last;
    },
  };
}

/** What is blocked in only one of the lists. */
const changed = (before: ReadonlyMap<string, unknown>, next: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...next.keys(), ...before.keys()])].filter((key) => next.has(key) !== before.has(key));
