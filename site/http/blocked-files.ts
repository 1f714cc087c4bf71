import type { Logger } from 'pino';
import { subscribe } from '#db/events/subscription.ts';
import { copiesOf, smallestCopy } from '#db/files/image-copies.ts';
import { type Blocked, blockedFilesOf, type FilesBlock } from '#db/projects/malware.ts';
import type { Settings } from '#db/runtime/env.ts';
import type { Pool } from '#db/sql.ts';
import type { Storage } from '#db/storage/storage.ts';
import { purger } from './page-cache/purge.ts';

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

const retry_ms = 500;
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
  let running: Promise<void> | null = null;
  let retried = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function read(): Promise<void> {
    const next = await blockedFilesOf(sql);
    const before = blocked ?? { projects: new Map(), versions: new Map(), images: new Map() };
    blocked = next;
    if (!settings.PURGE_URL) return;
    const images = changed(before.images, next.images);
    if (images.length > 0)
      purge({ paths: images.flatMap((key) => [key, ...copiesOf(key).map(({ name }) => name)]).map(pathOf) });
    for (const id of changed(before.projects, next.projects)) await purgeFiles(`data/${id}`);
    for (const id of changed(before.versions, next.versions)) {
      const { project_id } = (next.versions.get(id) ?? before.versions.get(id))!;
      await purgeFiles(`data/${project_id}/versions/${id}`);
    }
  }

  async function purgeFiles(folder: string): Promise<void> {
    const paths: string[] = [];
    for await (const { key } of storage.list(folder)) paths.push(pathOf(key));
    purge({ paths });
  }

  /** Reads the list now. A read in progress is followed by another one, since it may have started before the change. */
  function refresh(): void {
    if (closed) return;
    retried = true;
    running ??= (async () => {
      while (retried && !closed) {
        retried = false;
        clearTimeout(timer);
        let pause_ms = poll_ms;
        try {
          await read();
        } catch (error) {
          log.warn(
            { err: error },
            'The list of blocked files could not be read; the last list stays in use until the next try',
          );
          pause_ms = retry_ms;
        }
        timer = setTimeout(refresh, pause_ms).unref();
      }
    })().finally(() => {
      running = null;
      if (retried) refresh();
    });
  }

  const events = subscribe(
    sql,
    {
      onEvents: (changes) => {
        if (
          changes.some(
            ({ name }) => shows.has(name) || (name.startsWith('project.') && name !== 'project.counted'),
          )
        )
          refresh();
      },
      onGap: refresh,
      onConnected: refresh, // what was blocked between the first read and the first event
      onDisconnect: refresh,
    },
    { log },
  );
  refresh();
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
      closed = true;
      clearTimeout(timer);
      await events.stop();
      await running;
    },
  };
}

/** What is blocked in only one of the lists. */
const changed = (before: ReadonlyMap<string, unknown>, next: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...next.keys(), ...before.keys()])].filter((key) => next.has(key) !== before.has(key));

const pathOf = (key: string): string => `/${key.split('/').map(encodeURIComponent).join('/')}`;
