import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { subscribe } from '#db/events/subscription.ts';
import type { AppServices } from '../context.ts';
import { anonymousRequest, type Captured, capture } from './page-cache/capture.ts';
import { openDiskTier } from './page-cache/disk-tier.ts';
import { audienceOf, type Entry, encodeVariants, isPersonal, send, sizeOf } from './page-cache/entry.ts';
import { hasSession, type PageKey, pageKey } from './page-cache/key.ts';
import { purger } from './page-cache/purge.ts';
import { invalidationsOf, isListTag, ttl, ttlOf } from './page-cache/ttl.ts';

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
  stats(): { hits: number; misses: number; pages: number; bytes: number; disk_bytes: number; live: boolean };
  close(): Promise<void>;
}

interface Options {
  services: Pick<AppServices, 'settings' | 'sql' | 'log' | 'now'>;
  /** Id of the build; each build has its own pages. */
  build: string;
  disk_bytes?: number;
}

/** The search index applies a change of visibility within two seconds; lists rendered before that are not cached. */
const search_lag_ms = 3000;

/**
 * Finished pages, the same bytes for everybody, signed in or not. One per build, site, language and normalized address;
 * in memory (PAGE_STORE_BYTES), then on disk below DATA_DIR/cache/pages. A page is rendered for an anonymous request,
 * so it contains nothing personal. A page that reads the current user (`Cache-Control: private`) is rendered again for
 * each signed-in user, and cached only if it answers 404 to anonymous visitors. An event invalidates the pages with one
 * of its tags, and pages invalidated while they render are not cached; lists (`search:`, `list:`) live 1 s, counters
 * (`counts`) 60 s. Before a page is served, all received events are applied; while the subscription is down, nothing is
 * served from the cache. Source: design §4.3.
 */
export function createPageCache({ services, build, disk_bytes = 512 * 1024 ** 2 }: Options): PageCache {
  const { settings, sql, log, now } = services;
  const scope = `${build}\n${settings.SITE_URL}`;
  const byTag = new Map<string, Set<string>>();
  const disk = openDiskTier(join(settings.DATA_DIR, 'cache/pages'), disk_bytes, (id) => untag(id));
  const tagsOf = new Map<string, string[]>();
  const pages = new LRUCache<string, Entry>({
    maxSize: settings.PAGE_STORE_BYTES,
    maxEntrySize: Math.ceil(settings.PAGE_STORE_BYTES / 4),
    sizeCalculation: sizeOf,
    dispose: (entry, id, reason) => {
      if (reason === 'evict' && entry.until > now().getTime()) disk.put(id, entry);
      else if (reason === 'evict') untag(id);
    },
  });
  const personal = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const renders = new Map<string, Promise<RenderResult>>();
  const purge = purger(settings.PURGE_URL, log);
  /** Counts invalidations; a render remembers the count at its start. */
  let version = 0;
  let cleared_at = 0;
  let lists_changed_at = 0;
  let lists_cacheable_from = 0;
  let invalidated_at = new Map<string, number>();
  let hits = 0;
  let misses = 0;

  function untag(id: string): void {
    for (const tag of tagsOf.get(id) ?? []) {
      const ids = byTag.get(tag);
      ids?.delete(id);
      if (ids?.size === 0) byTag.delete(tag);
    }
    tagsOf.delete(id);
  }

  function drop(id: string): void {
    untag(id);
    pages.delete(id);
    disk.drop(id);
  }

  function invalidateTag(tag: string): void {
    if (renders.size > 0) invalidated_at.set(tag, version);
    if (invalidated_at.size > 10_000) {
      cleared_at = version; // too many invalidated tags to remember: pages being rendered now are not cached
      invalidated_at = new Map();
    }
    const ids = [...(byTag.get(tag) ?? [])];
    for (const id of ids) drop(id);
    purge({ tags: [tag], paths: ids.map((id) => id.slice(id.lastIndexOf('\n') + 1)) });
  }

  function clear(): void {
    cleared_at = ++version;
    pages.clear();
    disk.clear();
    byTag.clear();
    tagsOf.clear();
    purge({ all: true });
  }

  const subscription = subscribe(
    sql,
    {
      onEvents(events, tags) {
        version += 1;
        const { all, lists, counted } = invalidationsOf(events);
        if (all) return clear();
        for (const tag of tags) invalidateTag(tag);
        if (lists) lists_cacheable_from = now().getTime() + search_lag_ms;
        if (lists) {
          lists_changed_at = version;
          for (const tag of [...byTag.keys()]) if (isListTag(tag)) invalidateTag(tag);
        }
        for (const id of counted) {
          for (const page of byTag.get(`project:${id.toLowerCase()}`) ?? []) {
            const entry = pages.peek(page);
            if (entry) entry.until = Math.min(entry.until, now().getTime() + ttl.counter);
            else disk.drop(page);
          }
        }
      },
      onGap: clear,
    },
    { log },
  );

  function save(id: string, entry: Entry): void {
    drop(id);
    tagsOf.set(id, entry.tags);
    for (const tag of entry.tags) {
      const ids = byTag.get(tag) ?? new Set();
      byTag.set(tag, ids.add(id));
    }
    pages.set(id, entry);
    if (!pages.has(id) && !disk.has(id)) untag(id); // too large for the memory limit
  }

  async function cached(id: string): Promise<Entry | null> {
    let entry = pages.get(id) ?? null;
    if (!entry && disk.has(id)) {
      entry = await disk.load(id);
      if (entry) save(id, entry);
    }
    if (!entry || entry.until > now().getTime()) return entry;
    drop(id);
    return null;
  }

  interface RenderResult {
    entry: Entry;
    personal: boolean;
    /** One of its tags was invalidated while it was rendered: waiting requests render it again. */
    outdated: boolean;
  }

  async function renderOnce(key: PageKey, render: PageRenderer): Promise<RenderResult> {
    const began = version;
    const begun_at = now().getTime();
    const tag_set = new Set<string>();
    const captured: Captured = await capture(anonymousRequest(key, settings.SITE_URL), (req, res) =>
      render(req, res, (tag) => tag_set.add(tag.toLowerCase())),
    );
    const tags = [...tag_set];
    const audience = audienceOf(captured);
    const cdn = audience === 'everybody' ? forCdn(settings.PURGE_URL, tags) : [];
    const entry = await encodeVariants(captured, tags, begun_at + ttlOf(tags), cdn);
    const synced = await subscription.sync();
    const many = tags.some(isListTag);
    const outdated =
      !synced ||
      cleared_at > began ||
      (many && lists_changed_at > began) ||
      tags.some((tag) => (invalidated_at.get(tag) ?? 0) > began);
    if (isPersonal(captured)) personal.set(key.id, true);
    if (audience !== 'one' && !outdated && !(many && begun_at < lists_cacheable_from)) save(key.id, entry);
    return { entry, outdated, personal: isPersonal(captured) };
  }

  /** Whether all received events are applied. */
  const isInSync = () => (subscription.isConnected() && subscription.isDrained()) || subscription.drained();

  /** One render for all concurrent requests. */
  function inFlight(key: PageKey, render: PageRenderer): Promise<RenderResult> {
    let running = renders.get(key.id);
    if (!running) {
      running = renderOnce(key, render).finally(() => {
        renders.delete(key.id);
        if (renders.size === 0) invalidated_at = new Map();
      });
      renders.set(key.id, running);
    }
    return running;
  }

  return {
    async serve(req, res, render, mayRender = () => true) {
      const key = pageKey(req, scope);
      const has_session = hasSession(req);
      let counted = false;
      for (let attempt = 1; key && attempt <= 3 && (await isInSync()); attempt++) {
        const found = pages.has(key.id) || disk.has(key.id) ? await cached(key.id) : null;
        if (found?.anonymous_only && has_session) break;
        if (found) {
          hits += 1;
          return send(req, res, found);
        }
        if (has_session && personal.has(key.id)) break;
        if (attempt === 1 && !mayRender()) return;
        counted = true;
        misses += 1;
        const made = await inFlight(key, render);
        if (made.personal && has_session) break;
        if (!made.outdated) return send(req, res, made.entry);
      }
      if (counted || mayRender()) await render(req, res, () => {});
    },
    sync: subscription.sync,
    invalidate(tag) {
      version += 1;
      invalidateTag(tag.toLowerCase());
    },
    stats: () => ({
      hits,
      misses,
      pages: pages.size,
      bytes: pages.calculatedSize,
      disk_bytes: disk.bytes(),
      live: subscription.isConnected(),
    }),
    async close() {
      await subscription.stop();
      pages.clear();
      disk.close();
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
