import type { KeyboardEvent } from 'react';
import { $listing, $menu, $renaming, $selection, listedNames, targetPaths, targets } from './files.store.ts';
import { go } from './folder.ts';
import { open } from './open.ts';
import { parentOf } from './paths.ts';
import { allOf, moved, noneOf, toggled } from './selection.ts';
import { isAllowed } from './why-not.ts';

/** Rows that a page key goes. */
const page_rows = 15;
const steps: Record<string, number> = {
  ...{ ArrowDown: 1, ArrowUp: -1, PageDown: page_rows, PageUp: -page_rows, End: 1e9, Home: -1e9 },
};

/** The keys of the list. Source: screens §A.10 (Keyboard facts). */
export function onKey(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const isWriting = target.matches('input:not([type=checkbox]), select');
  if (isWriting || target.closest('thead')) return;
  if (handled(event, target.matches('tr'))) event.preventDefault();
}

function handled(event: KeyboardEvent<HTMLElement>, isRow: boolean): boolean {
  const { key, shiftKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const names = listedNames();
  const now = $selection.get();
  if (isCommand && key.toLowerCase() === 'a') $selection.set(allOf(now, names));
  else if (event.altKey && key === 'ArrowUp') up();
  else if (Object.hasOwn(steps, key)) $selection.set(moved(now, names, steps[key]!, shiftKey));
  else if (key === 'Delete') {
    if (isAllowed()) void import('./actions.ts').then(({ remove }) => remove(targetPaths()));
  } else if (key === 'F2' && now.focus !== null) {
    if (isAllowed()) $renaming.set(now.focus);
  } else if (key === 'Escape') $selection.set(noneOf(now));
  else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) openMenu(event);
  else if (!isRow) return false;
  else if (key === ' ' && now.focus !== null) $selection.set(toggled(now, now.focus));
  else if (key === 'Enter') openFocused();
  else if (key === 'Backspace') up();
  else return false;
  return true;
}

function up(): void {
  const { path } = $listing.get();
  if (path !== '') go({ path: parentOf(path) });
}

function openFocused(): void {
  const entry = $listing.get().entries.find(({ name }) => name === $selection.get().focus);
  if (entry) open(entry);
}

function openMenu({ target }: KeyboardEvent): void {
  if (targets().length === 0) return;
  const row = (target as Element).closest('tr');
  const box = row?.cells[1]?.getBoundingClientRect();
  if (box) $menu.set({ x: box.left, y: box.bottom });
}
