import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DatabaseState } from '#db/database-watch.ts';
import type { Event } from '#db/events/read.ts';
import { subscribe } from '#db/events/subscription.ts';
import { mayServeStale, unconfirmed_ms } from '#db/runtime/stale-window.ts';
import type { AppServices } from '../context.ts';
import { CachedPages } from './page-cache/cached-pages.ts';
import { anonymousRequest, type Captured, capture } from './page-cache/capture.ts';
import { audienceOf, type Entry, encodeVariants, isPersonal, send } from './page-cache/entry.ts';
import { InvalidationClock } from './page-cache/invalidation-clock.ts';
import { isPersonalRequest, type PageKey, pageKey } from './page-cache/key.ts';
import { purger } from './page-cache/purge.ts';
import { sendSavedCopy } from './page-cache/saved-copy.ts';
import { SingleFlight } from './page-cache/single-flight.ts';
import { all_tagged, invalidationsOf, isListTag, ttl, ttlOf } from './page-cache/ttl.ts';

/** Writes the page to `res`, as Astro's handler does; `tag` becomes `Astro.locals.tag`. */
export type PageRenderer = (
  req: IncomingMessage,
  res: ServerResponse,
  shows: (tag: string) => void,
) => unknown;

export interface PageCache {
  /**
   * Answers from the cache; else renders once for all concurrent requests and caches the page if it is public. Calls
   * `mayRender` before any work; when it gives false, it has answered the request itself.
   */
  serve(
    req: IncomingMessage,
    res: ServerResponse,
    render: PageRenderer,
    mayRender?: () => boolean,
  ): Promise<void>;
  /** True once every event committed before this call is applied; false while the subscription is down. */
  sync(): Promise<boolean>;
  /** Drops every cached page with this tag, in this process. */
  invalidate(tag: string): void;
  stats(): {
    hits: number;
    misses: number;
    pages: number;
    bytes: number;
    disk_bytes: number;
    live: boolean;
    /** Whether pages are served although the database is away. */
    stale: boolean;
  };
  close(): Promise<void>;
}

interface Options {
  services: Pick<AppServices, 'settings' | 'sql' | 'log' | 'now'>;
  /** Id of the build; each build has its own pages. */
  build: string;
  disk_bytes?: number;
  /** Whether the database answers; without it, no page is served while it is away. */
  database?: DatabaseState;
}

interface RenderResult {
  entry: Entry;
  personal: boolean;
  /** One of its tags was invalidated while it was rendered: waiting requests render it again. */
  outdated: boolean;
}

/** The search index applies a change of visibility within two seconds; lists rendered before that are not cached. */
const search_lag_ms = 3000;
/** A process that is asked nothing confirms its events this often; `unconfirmed_ms` leaves room for a slow answer. */
const confirm_ms = 500;

/** Where nobody watches the database, it counts as there. */
const unwatched: DatabaseState = { awaySince: () => null, check: async () => true };

/**
 * Finished pages, the same bytes for everybody, signed in or not. One per build, site, language and normalized address;
 * in memory (PAGE_STORE_BYTES), then on disk below DATA_DIR/cache/pages. A page is rendered for an anonymous request,
 * so it contains nothing personal. A page that reads the current user (`Cache-Control: private`) is rendered again for
 * each signed-in user, and cached only if it answers 404 to anonymous visitors. An event invalidates the pages with one
 * of its tags, and pages invalidated while they render are not cached; lists (`search:`, `list:`) live 1 s, counters
 * (`counts`) 60 s. Before a page is served, all received events are applied, and everything committed two seconds ago.
 * While only the subscription is down, pages are rendered anew; while the database is away, the last bytes of public
 * pages are served as saved copies (`stale-window.ts`), for PAGE_STALE_SECONDS at most. After a lost connection the cache
 * starts empty. Source: design §4.3.
 */
export function createPageCache({
  services,
  build,
  disk_bytes = 512 * 1024 ** 2,
  database = unwatched,
}: Options): PageCache {
  const { settings, sql, log, now } = services;
  const scope = `${build}\n${settings.SITE_URL}`;
  const store = new CachedPages({
    memory_bytes: settings.PAGE_STORE_BYTES,
    folder: join(settings.DATA_DIR, 'cache/pages'),
    disk_bytes,
    now_ms: () => now().getTime(),
  });
  const clock = new InvalidationClock();
  const renders = new SingleFlight<RenderResult>(() => clock.forgetTags());
  /** Pages that contain something personal. */
  const personal = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const purge = purger(settings.PURGE_URL, log);
  let hits = 0;
  let misses = 0;

  function invalidateTag(tag: string, expiring: string | null = null): void {
    if (!renders.isIdle) clock.invalidate(tag);
    const ids = store.dropTag(tag, expiring);
    purge({ tags: [tag], paths: ids.map((id) => id.slice(id.lastIndexOf('\n') + 1)) });
  }

  function clear(): void {
    clock.clear();
    store.clear();
    purge({ all: true });
  }

  function onEvents(events: readonly Event[], tags: readonly string[]): void {
    clock.advance();
    const { all, lists, named, counted } = invalidationsOf(events);
    if (all) {
      clear();
      return;
    }
    for (const tag of tags) invalidateTag(tag);
    if (lists) {
      clock.invalidateLists(now().getTime() + search_lag_ms);
      for (const tag of store.tags()) if (isListTag(tag)) invalidateTag(tag, named ? all_tagged : null);
    }
    for (const id of counted) store.limitAge(`project:${id.toLowerCase()}`, now().getTime() + ttl.counter);
  }

  const subscription = subscribe(sql, { onEvents, onGap: clear }, { log, poll_ms: confirm_ms });

  async function renderOnce(key: PageKey, render: PageRenderer): Promise<RenderResult> {
    const began = clock.now;
    const begun_at = now().getTime();
    const tag_set = new Set<string>();
    const captured: Captured = await capture(anonymousRequest(key, settings.SITE_URL), (req, res) =>
      render(req, res, (tag) => tag_set.add(tag.toLowerCase())),
    );
    const tags = [...tag_set];
    const audience = audienceOf(captured);
    const cdn = audience === 'everybody' ? forCdn(settings.PURGE_URL, tags) : [];
    const entry = await encodeVariants(captured, tags, begun_at + ttlOf(tags), cdn, begun_at);
    const synced = database.awaySince() === null && (await subscription.sync());
    const outdated = !synced || clock.isOutdated(tags, began);
    if (isPersonal(captured)) personal.set(key.id, true);
    if (audience !== 'one' && !outdated && !clock.isBeforeSearch(tags, begun_at)) store.save(key.id, entry);
    return { entry, outdated, personal: isPersonal(captured) };
  }

  /** Whether all received events are applied, and everything committed two seconds ago. */
  async function isInSync(): Promise<boolean> {
    if (performance.now() - subscription.confirmedAt() > unconfirmed_ms)
      return (await database.check()) && (await subscription.sync());
    return (subscription.isConnected() && subscription.isDrained()) || (await subscription.drained());
  }

  /** A page that failed because the database is away is served as a saved copy, if there is one. */
  function unlessAway(error: unknown): null {
    if (database.awaySince() === null) throw error;
    return null;
  }

  /** Whether the database is away and stored pages may be served. */
  function isStale(): boolean {
    const away_since = database.awaySince();
    const confirmed_at = subscription.confirmedAt();
    const limit_ms = settings.PAGE_STALE_SECONDS * 1000;
    return (
      away_since !== null && mayServeStale({ confirmed_at, away_since, now: performance.now() }, limit_ms)
    );
  }

  /** Answers with the last bytes of the page if the database is away; gives false when it did not answer. */
  async function serveSaved(req: IncomingMessage, res: ServerResponse, key: PageKey): Promise<boolean> {
    if (!isStale() || !store.has(key.id)) return false;
    const found = await store.findLast(key.id);
    if (!found || !isStale() || (found.anonymous_only && isPersonalRequest(req))) return false;
    hits += 1;
    const right_until_ms = Math.min(
      found.until,
      now().getTime() - performance.now() + subscription.confirmedAt(),
    );
    await sendSavedCopy(req, res, found, { language: key.language, now: now(), right_until_ms });
    return true;
  }

  return {
    async serve(req, res, render, mayRender = () => true) {
      const key = pageKey(req, scope);
      const is_personal = isPersonalRequest(req);
      let counted = false;
      for (let attempt = 1; key && attempt <= 3; attempt++) {
        if (database.awaySince() !== null) break;
        if (!(await isInSync())) {
          await database.check();
          break;
        }
        const found = store.has(key.id) ? await store.find(key.id) : null;
        if (found?.anonymous_only && is_personal) break;
        if (found) {
          hits += 1;
          return send(req, res, found);
        }
        if (is_personal && personal.has(key.id)) break;
        if (attempt === 1 && !mayRender()) return;
        counted = true;
        misses += 1;
        const made = await renders.run(key.id, () => renderOnce(key, render)).catch(unlessAway);
        if (!made) break;
        if (made.personal && is_personal) break;
        if (!made.outdated) return send(req, res, made.entry);
      }
      if (key && (await serveSaved(req, res, key))) return;
      if (counted || mayRender()) await render(req, res, () => {});
    },
    sync: subscription.sync,
    invalidate(tag) {
      clock.advance();
      invalidateTag(tag.toLowerCase());
    },
    stats: () => ({
      ...{ hits, misses, ...store.stats() },
      ...{ live: subscription.isConnected(), stale: isStale() },
    }),
    async close() {
      await subscription.stop();
      store.close();
    },
  };
}

/** A CDN that receives purges may cache pages; browsers still revalidate. */
const forCdn = (purgeUrl: string | undefined, tags: readonly string[]): Array<[string, string]> =>
  purgeUrl
    ? [
        ['cache-control', `public, max-age=0, must-revalidate, s-maxage=${ttlOf(tags) / 1000}`],
        ['cache-tag', tags.join(',')],
      ]
    : [];
