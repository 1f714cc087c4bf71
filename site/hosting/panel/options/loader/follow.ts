import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { openedPanel, requestFromPanel } from '../../core/open-panel.ts';
import { $connection } from '../../core/panel.store.ts';
import { $change, $loader, $problem } from './loader.store.ts';

/** Keeps the page up to date: everything after each connection, then every step of a change by event. */

/** Loads what the server is and can be; a refusal is in `$problem`. */
export async function loadLoader(): Promise<void> {
  const result = await requestFromPanel('loader.show', {});
  if (!result.ok) {
    // the panel says that the connection is lost, and it is loaded again with the next one
    $problem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  $problem.set(null);
  $loader.set(result.data);
  $change.set(result.data.change);
}

/** Shows the newest change; once it has ended the server may be something else. */
export function showChange(change: ChangeView): void {
  const before = $change.get();
  $change.set(change);
  if (change.ended !== null && before?.step !== change.step) void loadLoader();
}

/** Follows the open panel; gives a function that ends it. */
export function followLoader(): () => void {
  let end = () => {};
  const ended = $connection.subscribe((state) => {
    end();
    end = () => {};
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    end = panel.on('changes', ({ server_id, changes: [newest] }) => {
      if (server_id === panel.id && newest) showChange(newest);
    });
    void loadLoader();
  });
  return () => {
    end();
    ended();
  };
}
