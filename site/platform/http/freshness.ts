import type { Event } from '#db/platform/events/read.ts';
import { subscribe } from '#db/platform/events/subscription.ts';
import type { DatabaseState } from '#db/platform/postgres/database-watch.ts';
import { mayServeStale, unconfirmed_ms } from '#db/platform/runtime/stale-window.ts';
import type { AppServices } from '../context.ts';
import { InvalidationClock } from './page-cache/invalidation-clock.ts';
import { all_tagged, invalidationsOf, isListTag, ttl } from './page-cache/ttl.ts';

/** A store of finished answers, each with the tags of what it shows. */
export interface TaggedStore {
  /** Whether counters that a person changed (a follow) are right at once; else they lag as those of downloads. */
  readonly counts_at_once?: boolean;
  /** Every tag that some answer has. */
  tags(): Iterable<string>;
  /** Drops the answers with `tag`; those that have the tag `expiring` too may only expire. */
  dropTag(tag: string, expiring: string | null): void;
  /** Lets no answer with `tag` be served after `until_ms`, in milliseconds since 1970. */
  limitAge(tag: string, until_ms: number): void;
  clear(): void;
}

/** The making of one answer, from before its first query: what is invalidated meanwhile is not stored. */
export interface Making {
  /** When it began, in milliseconds since 1970. */
  begun_ms: number;
  /** Whether something with one of these tags was invalidated since. Ask in the same turn in which you store. */
  isOutdated(tags: readonly string[]): boolean;
  /** Whether an answer with these tags shows what the search index may not know yet. */
  isBeforeSearch(tags: readonly string[]): boolean;
  end(): void;
}

/** Tells the stores of a process what is outdated, and when they may be served from. */
export interface Freshness {
  /** From now on events drop what `store` contains. */
  follow(store: TaggedStore): void;
  begin(): Making;
  /** Grows whenever something that anybody may see may have changed, besides counters: what was not there may be there. */
  changes(): number;
  /** Whether all that was received is applied, and everything committed two seconds ago; false when it would have to wait. */
  isKnownInSync(): boolean;
  /** As `isKnownInSync`, but waits for what was received; asks the database when it was silent for two seconds. */
  isInSync(): Promise<boolean>;
  /** Whether the database is away and stored answers may be served: `stale-window.ts`, PAGE_STALE_SECONDS. */
  isStale(): boolean;
  /** Until when stored answers are known to be right, in milliseconds since 1970. */
  rightUntil(): number;
  isAway(): boolean;
  /** Whether events arrive. */
  isLive(): boolean;
  /** Resolves with true once everything committed before this call is applied; false while the subscription is down. */
  sync(): Promise<boolean>;
  close(): Promise<void>;
}

interface Options {
  services: Pick<AppServices, 'settings' | 'sql' | 'log' | 'now'>;
  /** Whether the database answers; without it, nothing is served while it is away. */
  database?: DatabaseState | undefined;
}

/** The search index applies a change of visibility within two seconds; lists made before that are not stored. */
const search_lag_ms = 3000;
/** A process that is asked nothing confirms its events this often; `unconfirmed_ms` leaves room for a slow answer. */
const confirm_ms = 500;

/** Where nobody watches the database, it counts as there. */
const unwatched: DatabaseState = { awaySince: () => null, check: async () => true };

/**
 * The one rule by which finished answers stay right, for pages (`page-cache.ts`) and answers of the API
 * (`api/ready-answers/`): one subscription to events drops what they changed, from every store of the process. After a lost
 * connection all stores start empty. Source: design §4.3.
 */
export function createFreshness({ services, database = unwatched }: Options): Freshness {
  const { settings, sql, log, now } = services;
  const clock = new InvalidationClock();
  const stores: TaggedStore[] = [];
  let in_the_making = 0;
  let changes = 0;

  function dropTag(tag: string, expiring: string | null = null): void {
    if (in_the_making > 0) clock.invalidate(tag);
    for (const store of stores) store.dropTag(tag, expiring);
  }

  function clear(): void {
    changes += 1;
    clock.clear();
    for (const store of stores) store.clear();
  }

  function onEvents(events: readonly Event[], tags: readonly string[]): void {
    clock.advance();
    const { all, lists, named, things, counted } = invalidationsOf(events);
    if (things) changes += 1;
    const written = invalidationsOf(events.filter(({ actor_id }) => actor_id !== null)).counted;
    if (all) {
      clear();
      return;
    }
    for (const tag of tags) dropTag(tag);
    if (lists) {
      clock.invalidateLists(now().getTime() + search_lag_ms);
      const known = new Set(stores.flatMap((store) => [...store.tags()]));
      for (const tag of known) if (isListTag(tag)) dropTag(tag, named ? all_tagged : null);
    }
    countChanged(counted, new Set(written));
  }

  /** Downloads are counted in batches and may lag everywhere; what a person changed is read back by that person. */
  function countChanged(counted: readonly string[], written: ReadonlySet<string>): void {
    const until_ms = now().getTime() + ttl.counter;
    for (const id of counted) {
      const tag = `project:${id.toLowerCase()}`;
      if (in_the_making > 0 && written.has(id)) clock.invalidate(tag);
      for (const store of stores)
        if (store.counts_at_once && written.has(id)) store.dropTag(tag, null);
        else store.limitAge(tag, until_ms);
    }
  }

  const subscription = subscribe(sql, { onEvents, onGap: clear }, { log, poll_ms: confirm_ms });
  const isConfirmed = () => performance.now() - subscription.confirmedAt() <= unconfirmed_ms;
  const isApplied = () => subscription.isConnected() && subscription.isDrained();

  return {
    follow: (store) => void stores.push(store),
    begin() {
      const began = clock.now;
      const begun_ms = now().getTime();
      in_the_making += 1;
      return {
        begun_ms,
        isOutdated: (tags) => clock.isOutdated(tags, began),
        isBeforeSearch: (tags) => clock.isBeforeSearch(tags, begun_ms),
        end() {
          in_the_making -= 1;
          if (in_the_making === 0) clock.forgetTags();
        },
      };
    },
    changes: () => changes,
    isKnownInSync: () => database.awaySince() === null && isConfirmed() && isApplied(),
    async isInSync() {
      if (database.awaySince() !== null) return false;
      const synced = isConfirmed()
        ? isApplied() || (await subscription.drained())
        : (await database.check()) && (await subscription.sync());
      if (!synced) await database.check();
      return synced;
    },
    isStale() {
      const away_since = database.awaySince();
      const confirmed_at = subscription.confirmedAt();
      const limit_ms = settings.PAGE_STALE_SECONDS * 1000;
      return (
        away_since !== null && mayServeStale({ confirmed_at, away_since, now: performance.now() }, limit_ms)
      );
    },
    rightUntil: () => now().getTime() - performance.now() + subscription.confirmedAt(),
    isAway: () => database.awaySince() !== null,
    isLive: subscription.isConnected,
    sync: async () => database.awaySince() === null && (await subscription.sync()),
    close: subscription.stop,
  };
}
