import type { ChangeView } from '#db/hosting/servers/content/view.ts';
import { openedPanel, requestFromPanel } from '../core/open-panel.ts';
import { $connection, $server } from '../core/panel.store.ts';
import { isEnded, needsRestart } from './change.ts';
import { $changes, $content, $problem, $restartDue } from './content.store.ts';

/** Keeps the content of the panel up to date: all of it after each connection and each change. */

/** Loads the content; a refusal is in `$problem`. What is there already stays until the answer is here. */
export async function loadContent(): Promise<void> {
  const result = await requestFromPanel('content.list', {});
  if (!result.ok) {
    // the panel says that the connection is lost, and it is loaded again with the next one
    $problem.set(result.error.status === 0 && $connection.get() !== 'open' ? null : result.error);
    return;
  }
  const { content, more, revision, types, pack, changes } = result.data;
  $problem.set(null);
  $content.set({ items: content, more, revision, types, pack });
  $changes.set(changes);
}

function receive(changes: readonly ChangeView[]): void {
  const before = new Map($changes.get().map((one) => [one.id, one]));
  const over = changes.filter((one) => isEnded(one) && !isEndedIn(before, one));
  $changes.set(changes);
  if (over.length === 0) return;
  const isRunning = $server.get()?.state === 'running';
  if (isRunning && over.some((one) => one.step === 'done' && needsRestart(one))) $restartDue.set(true);
  void loadContent();
}
const isEndedIn = (before: ReadonlyMap<string, ChangeView>, { id, step }: ChangeView): boolean =>
  before.get(id)?.step === step;

/** Shows a change as a request answered it, before its event comes. */
export function showChange(change: ChangeView): void {
  const all = $changes.get();
  const isKnown = all.some(({ id }) => id === change.id);
  receive(isKnown ? all.map((one) => (one.id === change.id ? change : one)) : [change, ...all]);
}

/** Follows the content of the open panel; gives a function that ends it. */
export function followContent(): () => void {
  let end = () => {};
  const ended = $connection.subscribe((state) => {
    end();
    end = () => {};
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    end = panel.on('changes', ({ server_id, changes }) => server_id === panel.id && receive(changes));
    void loadContent();
  });
  let running = $server.get()?.epoch ?? null;
  const started = $server.subscribe((server) => {
    if (!server || server.epoch === running) return;
    running = server.epoch;
    $restartDue.set(false);
  });
  return () => {
    end();
    ended();
    started();
  };
}
