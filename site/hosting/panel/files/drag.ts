import type { DragEvent } from 'react';
import { $listing, $selection, targetPaths } from './files.store.ts';
import { canMoveTo } from './paths.ts';
import { isAllowed } from './why-not.ts';

/** Moves by drag and drop within the page. */
const type = 'application/x-cairn-paths';

/** A row begins to be dragged, with everything that is selected. */
export function beginDrag(event: DragEvent, name: string): void {
  if (!isAllowed()) return void event.preventDefault();
  if (!$selection.get().chosen.has(name))
    $selection.set({ chosen: new Set([name]), anchor: name, focus: name });
  event.dataTransfer.setData(type, JSON.stringify(targetPaths()));
  event.dataTransfer.effectAllowed = 'move';
}

export const isOwnDrag = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean =>
  dataTransfer.types.includes(type);

/** What is dragged was dropped on a folder. */
export function dropOn(event: DragEvent, folder: string): void {
  if (!isOwnDrag(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const paths = JSON.parse(event.dataTransfer.getData(type)) as string[];
  if (!isAllowed() || !canMoveTo(paths, folder) || $listing.get().state !== 'ready') return;
  void import('./actions.ts').then(({ moveTo }) => moveTo(paths, folder));
}
