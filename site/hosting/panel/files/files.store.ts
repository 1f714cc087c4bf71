import { atom } from 'nanostores';
import type { FileEntry } from '#control/protocol/files.ts';
import type { PageMessages } from '../../../platform/text/MessagesContext.tsx';
import type { Place } from './address.ts';
import { firstOrder, type Order } from './listing.ts';
import { joinPath } from './paths.ts';
import { noSelection, type Selection } from './selection.ts';

/** The state of the files page; written by `folder.ts` and the actions, rendered by its components. */

export interface Listing {
  path: string;
  entries: readonly FileEntry[];
  /** Entries of the folder, also those that are not loaded yet. */
  total: number;
  /** Whether the agent looked at all of them: it stops after many. */
  complete: boolean;
  /** `refused`: why is `problem`. */
  state: 'loading' | 'ready' | 'refused';
  problem: string;
}

/** What asks for something before it is done. */
export type FileDialog =
  | { kind: 'create'; type: 'file' | 'directory' }
  | { kind: 'move'; paths: readonly string[]; copy: boolean }
  | { kind: 'exists'; text: string; choose(choice: 'replace' | 'skip' | 'rename'): void }
  | { kind: 'unpack'; path: string }
  | { kind: 'fetch' }
  | { kind: 'log'; path: string }
  | { kind: 'sftp'; server_id: string };

export const $place = atom<Place>({ path: '', file: null, view: 'files' });
export const $order = atom<Order>(firstOrder);
export const $listing = atom<Listing>({
  ...{ path: '', entries: [], total: 0, complete: true },
  ...{ state: 'loading', problem: '' },
});
export const $loadingMore = atom(false);
export const $selection = atom<Selection>(noSelection);
/** The name that is being changed in its row. */
export const $renaming = atom<string | null>(null);
export const $dialog = atom<FileDialog | null>(null);
/** Where the menu of the selected rows is open: a corner of it, in pixels of the window. */
export const $menu = atom<{ x: number; y: number } | null>(null);
/** What is looked for below the folder. */
export const $query = atom<{ text: string; in: 'names' | 'contents' }>({ text: '', in: 'names' });

let reader: PageMessages;
/** Gives the texts of the page to the actions. */
export const setTexts = (messages: PageMessages): void => {
  reader = messages;
};
export const texts = (): PageMessages => reader;

export const listedNames = (): string[] => $listing.get().entries.map(({ name }) => name);

/** The entries that an action is about: those selected, or the row that the keyboard is at. */
export function targets(): FileEntry[] {
  const { entries } = $listing.get();
  const { chosen, focus } = $selection.get();
  const selected = entries.filter(({ name }) => chosen.has(name));
  return selected.length > 0 ? selected : entries.filter(({ name }) => name === focus);
}
export const targetPaths = (): string[] => targets().map(({ name }) => joinPath($listing.get().path, name));
