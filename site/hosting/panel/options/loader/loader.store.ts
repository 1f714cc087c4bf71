import { atom } from 'nanostores';
import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { followPanel, panelResource } from '../../core/resource.ts';

/** What the open panel knows of game version and loader: all of it after each connection, then every step of a change by event. */

/** The newest change of the server. */
export const $change = atom<ChangeView | null>(null);
/** What the server is and can be. */
export const {
  $data: $loader,
  $problem,
  load: loadLoader,
} = panelResource({
  event: 'loader.show',
  read(loader) {
    $change.set(loader.change);
    return loader;
  },
});
/** The request under way. */
export const $waiting = atom<'change' | 'cancel' | 'undo' | null>(null);

/** Shows the newest change; once it has ended the server may be something else. */
export function showChange(change: ChangeView): void {
  const before = $change.get();
  $change.set(change);
  if (change.ended !== null && before?.step !== change.step) void loadLoader();
}

export const followLoader = (): (() => void) =>
  followPanel('changes', ({ changes: [newest] }) => newest && showChange(newest), loadLoader);
