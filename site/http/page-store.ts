import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { subscribe } from '#db/events/ears.ts';
import type { Services } from '../services.ts';
import { ageOf, ages, meaningOf, showsMany } from './page-store/ages.ts';
import { type Captured, capture, requestOfNobody } from './page-store/capture.ts';
import { audienceOf, type Entry, isPersonal, ready, send, sizeOf } from './page-store/entry.ts';
import { hasSession, type PageKey, pageKey } from './page-store/key.ts';
import { purger } from './page-store/purge.ts';
import { openShelf } from './page-store/shelf.ts';

/** Writes the page to `res`, as Astro's handler does; `shows` becomes `Astro.locals.shows`. */
export type Render = (req: IncomingMessage, res: ServerResponse, shows: (tag: string) => void) => unknown;

export interface PageStore {
  /**
   * Answers from the store, else renders once for all who ask and keeps it if everybody may see it. Asks `mayRender`
   * before any work; when it gives false, it has answered itself.
   */
  serve(req: IncomingMessage, res: ServerResponse, render: Render, mayRender?: () => boolean): Promise<void>;
  /** True once everything that was committed before this call is taken in; false when nothing can be heard. */
  caughtUp(): Promise<boolean>;
  /** Drops every page that showed `tag`, in this process. */
  forget(tag: string): void;
  stats(): { hits: number; misses: number; pages: number; bytes: number; disk_bytes: number; live: boolean };
  close(): Promise<void>;
}

interface Options {
  services: Pick<Services, 'settings' | 'sql' | 'log' | 'now'>;
  /** Id of the build: pages of another build are other pages. */
  build: string;
  disk_bytes?: number;
}

/** Search hears of a project shown or hidden within two seconds; lists made before that are not kept. */
const search_lag_ms = 3000;

/**
 * Finished pages, the same bytes for everybody, signed in or not. One per build, site, language and normalised
 * address; in memory (PAGE_STORE_BYTES), then on disk below DATA_DIR/cache/pages. A page is rendered for a request of
 * nobody, so nothing of a person gets in; one that asks who looks (`Cache-Control: private`) is made anew for each
 * signed-in person, and kept only if it says to strangers that nothing is there.
 * A page goes when an event touches a tag it showed, and is not kept when that happened while it was rendered; lists
 * (`search:`, `list:`) live 1 s, counters (`counts`) 60 s. Before a page is given out, everything heard of is taken
 * in; while nothing can be heard, nothing is given out. Source: design, Seams (Page store).
 */
export function createPageStore({ services, build, disk_bytes = 512 * 1024 ** 2 }: Options): PageStore {
  const { settings, sql, log, now } = services;
  const place = `${build}\n${settings.SITE_URL}`;
  const byTag = new Map<string, Set<string>>();
  const shelf = openShelf(join(settings.DATA_DIR, 'cache/pages'), disk_bytes, (id) => unlink(id));
  const tagsOf = new Map<string, string[]>();
  const pages = new LRUCache<string, Entry>({
    maxSize: settings.PAGE_STORE_BYTES,
    maxEntrySize: Math.ceil(settings.PAGE_STORE_BYTES / 4),
    sizeCalculation: sizeOf,
    dispose: (entry, id, reason) => {
      if (reason === 'evict' && entry.until > now().getTime()) shelf.put(id, entry);
      else if (reason === 'evict') unlink(id);
    },
  });
  const personal = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  const flights = new Map<string, Promise<Flight>>();
  const purge = purger(settings.PURGE_URL, log);
  /** Counts what was told; a render remembers where it began. */
  let moment = 0;
  let wiped = 0;
  let listsAt = 0;
  let listsFrom = 0;
  let touchedAt = new Map<string, number>();
  let hits = 0;
  let misses = 0;

  function unlink(id: string): void {
    for (const tag of tagsOf.get(id) ?? []) {
      const ids = byTag.get(tag);
      ids?.delete(id);
      if (ids?.size === 0) byTag.delete(tag);
    }
    tagsOf.delete(id);
  }

  function drop(id: string): void {
    unlink(id);
    pages.delete(id);
    shelf.drop(id);
  }

  function touch(tag: string): void {
    if (flights.size > 0) touchedAt.set(tag, moment);
    if (touchedAt.size > 10_000) {
      wiped = moment; // too much to remember: what is being made now is not kept
      touchedAt = new Map();
    }
    const ids = [...(byTag.get(tag) ?? [])];
    for (const id of ids) drop(id);
    purge({ tags: [tag], paths: ids.map((id) => id.slice(id.lastIndexOf('\n') + 1)) });
  }

  function wipe(): void {
    wiped = ++moment;
    pages.clear();
    shelf.clear();
    byTag.clear();
    tagsOf.clear();
    purge({ all: true });
  }

  const ears = subscribe(
    sql,
    {
      onEvents(events, things) {
        moment += 1;
        const { all, lists, counted } = meaningOf(events);
        if (all) return wipe();
        for (const tag of things) touch(tag);
        if (lists) listsFrom = now().getTime() + search_lag_ms;
        if (lists) {
          listsAt = moment;
          for (const tag of [...byTag.keys()]) if (showsMany(tag)) touch(tag);
        }
        for (const id of counted) {
          for (const page of byTag.get(`project:${id.toLowerCase()}`) ?? []) {
            const entry = pages.peek(page);
            if (entry) entry.until = Math.min(entry.until, now().getTime() + ages.counter);
            else shelf.drop(page);
          }
        }
      },
      onGap: wipe,
    },
    { log },
  );

  function keep(id: string, entry: Entry): void {
    drop(id);
    tagsOf.set(id, entry.tags);
    for (const tag of entry.tags) {
      const ids = byTag.get(tag) ?? new Set();
      byTag.set(tag, ids.add(id));
    }
    pages.set(id, entry);
    if (!pages.has(id) && !shelf.has(id)) unlink(id); // too large for the memory there is
  }

  async function kept(id: string): Promise<Entry | null> {
    let entry = pages.get(id) ?? null;
    if (!entry && shelf.has(id)) {
      entry = await shelf.take(id);
      if (entry) keep(id, entry);
    }
    if (!entry || entry.until > now().getTime()) return entry;
    drop(id);
    return null;
  }

  interface Flight {
    entry: Entry;
    personal: boolean;
    /** Something it shows changed while it was made: whoever waited asks again. */
    outdated: boolean;
  }

  async function fly(key: PageKey, render: Render): Promise<Flight> {
    const began = moment;
    const begun_at = now().getTime();
    const shown = new Set<string>();
    const captured: Captured = await capture(requestOfNobody(key, settings.SITE_URL), (req, res) =>
      render(req, res, (tag) => shown.add(tag.toLowerCase())),
    );
    const tags = [...shown];
    const audience = audienceOf(captured);
    const cdn = audience === 'everybody' ? forCdn(settings.PURGE_URL, tags) : [];
    const entry = await ready(captured, tags, begun_at + ageOf(tags), cdn);
    const heard = await ears.sync();
    const many = tags.some(showsMany);
    const outdated =
      !heard ||
      wiped > began ||
      (many && listsAt > began) ||
      tags.some((tag) => (touchedAt.get(tag) ?? 0) > began);
    if (isPersonal(captured)) personal.set(key.id, true);
    if (audience !== 'one' && !outdated && !(many && begun_at < listsFrom)) keep(key.id, entry);
    return { entry, outdated, personal: isPersonal(captured) };
  }

  /** Whether everything that was heard of is taken in. */
  const hears = () => (ears.isConnected() && ears.isDrained()) || ears.drained();

  /** One render for all who ask meanwhile. */
  function flight(key: PageKey, render: Render): Promise<Flight> {
    let running = flights.get(key.id);
    if (!running) {
      running = fly(key, render).finally(() => {
        flights.delete(key.id);
        if (flights.size === 0) touchedAt = new Map();
      });
      flights.set(key.id, running);
    }
    return running;
  }

  return {
    async serve(req, res, render, mayRender = () => true) {
      const key = pageKey(req, place);
      const own = hasSession(req);
      let counted = false;
      for (let attempt = 1; key && attempt <= 3 && (await hears()); attempt++) {
        const found = pages.has(key.id) || shelf.has(key.id) ? await kept(key.id) : null;
        if (found?.strangers && own) break;
        if (found) {
          hits += 1;
          return send(req, res, found);
        }
        if (own && personal.has(key.id)) break;
        if (attempt === 1 && !mayRender()) return;
        counted = true;
        misses += 1;
        const made = await flight(key, render);
        if (made.personal && own) break;
        if (!made.outdated) return send(req, res, made.entry);
      }
      if (counted || mayRender()) await render(req, res, () => {});
    },
    caughtUp: ears.sync,
    forget(tag) {
      moment += 1;
      touch(tag.toLowerCase());
    },
    stats: () => ({
      hits,
      misses,
      pages: pages.size,
      bytes: pages.calculatedSize,
      disk_bytes: shelf.bytes(),
      live: ears.isConnected(),
    }),
    async close() {
      await ears.stop();
      pages.clear();
      shelf.close();
    },
  };
}

/** With a CDN that is told of changes, it may keep pages; browsers ask again all the same. */
const forCdn = (purgeUrl: string | undefined, tags: readonly string[]): Array<[string, string]> =>
  purgeUrl
    ? [
        ['cache-control', `public, max-age=0, must-revalidate, s-maxage=${ageOf(tags) / 1000}`],
        ['cache-tag', tags.join(',')],
      ]
    : [];
