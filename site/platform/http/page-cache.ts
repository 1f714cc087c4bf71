import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { AppServices } from '../context.ts';
import type { Freshness, Making } from './freshness.ts';
import { KeptOrMade, type Made } from './kept-or-made.ts';
import { CachedPages } from './page-cache/cached-pages.ts';
import { anonymousRequest, type Captured, capture } from './page-cache/capture.ts';
import { audienceOf, type Entry, encodeVariants, isPersonal, send } from './page-cache/entry.ts';
import { isPersonalRequest, type PageKey, pageKey } from './page-cache/key.ts';
import { purger } from './page-cache/purge.ts';
import { sendSavedCopy } from './page-cache/saved-copy.ts';
import { ttlOf } from './page-cache/ttl.ts';

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
  close(): void;
}

interface Options {
  services: Pick<AppServices, 'settings' | 'log' | 'now'>;
  /** Id of the build; each build has its own pages. */
  build: string;
  /** Drops pages, and says when they may be served. */
  freshness: Freshness;
  disk_bytes?: number;
}

interface Page {
  entry: Entry;
  personal: boolean;
}

/**
 * Finished pages, the same bytes for everybody, signed in or not. One per build, site, language and normalized address;
 * in memory (PAGE_STORE_BYTES), then on disk below DATA_DIR/cache/pages. A page is rendered for an anonymous request,
 * so it contains nothing personal. A page that reads the current user (`Cache-Control: private`) is rendered again for
 * each signed-in user, and cached only if it answers 404 to anonymous visitors or is the same for all of them
 * (`viewerOf`). An event invalidates the pages with one
 * of its tags, and pages invalidated while they render are not cached; lists (`search:`, `list:`) live 1 s, counters
 * (`counts`) 60 s. Before a page is served, all received events are applied, and everything committed two seconds ago.
 * While only the subscription is down, pages are rendered anew; while the database is away, the last bytes of public
 * pages are served as saved copies (`stale-window.ts`), for PAGE_STALE_SECONDS at most. After a lost connection the cache
 * starts empty. Source: design §4.3.
 */
export function createPageCache({
  services,
  build,
  freshness,
  disk_bytes = 512 * 1024 ** 2,
}: Options): PageCache {
  const { settings, log, now } = services;
  const scope = `${build}\n${settings.SITE_URL}`;
  const store = new CachedPages({
    memory_bytes: settings.PAGE_STORE_BYTES,
    folder: join(settings.DATA_DIR, 'cache/pages'),
    disk_bytes,
    now_ms: () => now().getTime(),
  });
  const pages = new KeptOrMade<Page>(freshness);
  /** Pages that contain something personal. */
  const personal = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const purge = purger(settings.PURGE_URL, log);

  freshness.follow({
    tags: () => store.tags(),
    dropTag(tag, expiring) {
      const ids = store.dropTag(tag, expiring);
      purge({ tags: [tag], paths: ids.map((id) => id.slice(id.lastIndexOf('\n') + 1)) });
    },
    limitAge: (tag, until_ms) => store.limitAge(tag, until_ms),
    clear() {
      store.clear();
      purge({ all: true });
    },
  });

  async function find(key: PageKey): Promise<Page | null> {
    const entry = store.has(key.id) ? await store.find(key.id) : null;
    return entry && { entry, personal: entry.anonymous_only };
  }

  async function make(key: PageKey, render: PageRenderer, making: Making): Promise<Made<Page>> {
    const tag_set = new Set<string>();
    const captured: Captured = await capture(anonymousRequest(key, settings.SITE_URL), (req, res) =>
      render(req, res, (tag) => tag_set.add(tag.toLowerCase())),
    );
    const tags = [...tag_set];
    const audience = audienceOf(captured);
    const cdn = audience === 'everybody' ? forCdn(settings.PURGE_URL, tags) : [];
    const until = making.begun_ms + ttlOf(tags);
    const entry = await encodeVariants(captured, tags, until, cdn, making.begun_ms);
    if (isPersonal(captured)) personal.set(key.id, true);
    return {
      value: { entry, personal: isPersonal(captured) },
      tags,
      keep() {
        if (audience !== 'one' && !making.isBeforeSearch(tags)) store.save(key.id, entry);
      },
    };
  }

  /** A page that failed because the database is away is served as a saved copy, if there is one. */
  function unlessAway(error: unknown): null {
    if (!freshness.isAway()) throw error;
    return null;
  }

  /** Answers with the last bytes of the page if the database is away; gives false when it did not answer. */
  async function serveSaved(req: IncomingMessage, res: ServerResponse, key: PageKey): Promise<boolean> {
    if (!freshness.isStale() || !store.has(key.id)) return false;
    const found = await store.findLast(key.id);
    if (!found || !freshness.isStale() || (found.anonymous_only && isPersonalRequest(req))) return false;
    pages.hits += 1;
    const right_until_ms = Math.min(found.until, freshness.rightUntil());
    await sendSavedCopy(req, res, found, { language: key.language, now: now(), right_until_ms });
    return true;
  }

  return {
    async serve(req, res, render, mayRender = () => true) {
      const key = pageKey(req, scope);
      const is_personal = isPersonalRequest(req);
      let may = null as boolean | null;
      const ask = () => (may ??= mayRender());
      const page =
        key &&
        (await pages
          .get({
            key: key.id,
            find: () => find(key),
            make: (making) => make(key, render, making),
            mayMake: () => !(is_personal && personal.has(key.id)) && ask(),
            fits: (found) => !(found.personal && is_personal),
          })
          .catch(unlessAway));
      if (page) return send(req, res, page.entry);
      if (may === false) return;
      if (key && (await serveSaved(req, res, key))) return;
      if (ask()) await render(req, res, () => {});
    },
    stats: () => ({
      ...{ hits: pages.hits, misses: pages.misses, ...store.stats() },
      ...{ live: freshness.isLive(), stale: freshness.isStale() },
    }),
    close: () => store.close(),
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
