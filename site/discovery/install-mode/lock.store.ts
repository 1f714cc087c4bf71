import { atom, computed } from 'nanostores';
import { loadersFor, versionsFor } from '../../hosting/panel/content/catalogue.ts';
import { $server } from '../../hosting/panel/core/panel.store.ts';
import { parseState } from '../search/state.ts';
import { $view } from '../search/view.store.ts';
import type { InstallType } from './install-prefixes.ts';

/** Which filters of the search stay as the server needs them. */

export const $type = atom<InstallType>('mod');
/** Whether the user wants to see what does not fit too. */
export const $unlocked = atom(false);

/** The filters of content that fits: loaders and the game version. */
const $wanted = computed([$server, $type], (server, type) => ({
  loaders: server ? loadersFor(server, type) : [],
  versions: server ? versionsFor(server, type) : [],
}));

const queryNow = (address: string | undefined): URLSearchParams =>
  new URLSearchParams(address?.split('?')[1] ?? location.search);

/** The filters that are locked: those of the server, while the search has all of them. */
export const $locked = computed([$wanted, $unlocked, $view], ({ loaders, versions }, isUnlocked, view) => {
  const all = [...loaders, ...versions];
  if (isUnlocked || all.length === 0) return [];
  const state = parseState(queryNow(view?.address));
  const isThere =
    loaders.every((one) => state.loaders.includes(one)) &&
    versions.every((one) => state.versions.includes(one));
  return isThere ? all : [];
});

/** Whether following `href` would remove a locked filter. */
export function removesLocked(href: string, locked: readonly string[]): boolean {
  if (locked.length === 0) return false;
  const { loaders, versions } = parseState(new URLSearchParams(href.split('?')[1] ?? ''));
  return locked.some((one) => !loaders.includes(one) && !versions.includes(one));
}
