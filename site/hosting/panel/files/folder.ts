import type { FileEntry } from '#control/protocol/files.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { $connection, $operation } from '../core/panel.store.ts';
import { type Place, placeOf, searchOf } from './address.ts';
import {
  $listing,
  $loadingMore,
  $menu,
  $order,
  $place,
  $query,
  $renaming,
  $selection,
  type Listing,
} from './files.store.ts';
import { followedBy, merged, type Order } from './listing.ts';
import { keptIn, noSelection } from './selection.ts';

/** Which folder is shown, and its list: loaded in pages, and kept as it is on the disk. */

const page = 100;
/** Entries of one request. Source: hosting §1e. */
const max_page = 500;
/** How often a visible list is read again: SFTP and the game write files without telling anybody. */
const refresh_ms = 5_000;

/** Answers to requests before this one came too late. */
let newest = 0;

const list = (path: string, from: number, limit: number) =>
  requestFromPanel('files.list', { path, ...$order.get(), from, limit });

/** Shows the folder of `$place`. What is loaded of it already stays until the answer is here. */
export async function load(): Promise<void> {
  const { path } = $place.get();
  const before = $listing.get();
  const isSame = before.path === path;
  const mine = ++newest;
  if (!isSame) show({ path, entries: [], total: 0, complete: true, state: 'loading', problem: '' });
  const limit = isSame ? Math.min(Math.max(before.entries.length, page), max_page) : page;
  const result = await list(path, 0, limit);
  if (mine !== newest) return;
  const now = $listing.get();
  if (result.ok) {
    // what was loaded beyond one request stays as it was
    const rest = now.entries.length > limit ? now.entries.slice(limit) : [];
    const entries = merged(now.entries, followedBy(result.data.entries, rest));
    const { total, complete } = result.data;
    show({ path, entries, total, complete, state: 'ready', problem: '' });
  } else if (result.error.status !== 0 || $connection.get() === 'open') {
    show({ ...now, entries: [], total: 0, state: 'refused', problem: result.error.description });
  }
}

/** Loads the entries behind those that are there. */
export async function loadMore(): Promise<void> {
  const { path, entries, total } = $listing.get();
  if ($loadingMore.get() || entries.length >= total) return;
  $loadingMore.set(true);
  const mine = newest;
  const result = await list(path, entries.length, page);
  $loadingMore.set(false);
  if (mine !== newest || !result.ok) return;
  const now = $listing.get();
  show({ ...now, entries: followedBy(now.entries, result.data.entries), total: result.data.total });
}

function show(listing: Listing): void {
  const before = $listing.get();
  if (before.entries !== listing.entries) {
    const names = (all: readonly FileEntry[]) => all.map(({ name }) => name);
    const isSame = before.path === listing.path;
    $selection.set(
      isSame ? keptIn($selection.get(), names(before.entries), names(listing.entries)) : noSelection,
    );
  }
  $listing.set(listing);
}

/** Whether the page may show another place now; if not, the editor asks, and goes on with `then`. */
type Guard = (then: () => void) => boolean;
let guard: Guard = () => true;
export const setGuard = (mayLeave: Guard): void => {
  guard = mayLeave;
};

/** Shows another place, and writes it to the address. */
export function go(place: Partial<Place>): void {
  if (!guard(() => go(place))) return;
  const to = { file: null, view: 'files' as const, path: $place.get().path, ...place };
  history.pushState(null, '', addressOf(to));
  enter(to);
}
const addressOf = (place: Place): string => `${location.pathname}${searchOf(place, location.search)}`;

function enter(place: Place): void {
  $query.set({ ...$query.get(), text: '' });
  $renaming.set(null);
  $menu.set(null);
  $place.set(place);
  void load();
}

export function sortBy(order: Order): void {
  $order.set(order);
  $listing.set({ ...$listing.get(), entries: [] });
  void load();
}

const isAtRest = (): boolean =>
  document.visibilityState === 'visible' && $place.get().view === 'files' && $renaming.get() === null;

/** Follows the address, the connection and the operations of everybody. Gives a function that ends it. */
export function openFolders(): () => void {
  const follow = () => {
    const wanted = placeOf(location.search);
    if (guard(() => go(wanted))) enter(wanted);
    else history.pushState(null, '', addressOf($place.get()));
  };
  const refresh = () => {
    if (isAtRest() && $connection.get() === 'open' && $listing.get().state !== 'loading') void load();
  };
  $place.set(placeOf(location.search));
  const ends = [
    $connection.listen((line) => line === 'open' && void load()),
    $operation.listen((operation) => {
      if (operation?.kind.startsWith('file_') && !isGoingOn(operation.state)) void load();
    }),
  ];
  const timer = setInterval(refresh, refresh_ms);
  addEventListener('popstate', follow);
  document.addEventListener('visibilitychange', refresh);
  if ($connection.get() === 'open') void load();
  return () => {
    clearInterval(timer);
    removeEventListener('popstate', follow);
    document.removeEventListener('visibilitychange', refresh);
    for (const end of ends) end();
  };
}

/** Whether an operation in this state has not ended. */
export const isGoingOn = (state: string): boolean => state === 'waiting' || state === 'accepted';
