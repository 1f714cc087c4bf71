import type { PowerAction } from '#db/servers/rules.ts';
import { mayReadOlder } from './console/apply-update.ts';
import { openedPanel, requestFromPanel, sendToPanel } from './open-panel.ts';
import { $console, $loadingHistory, $notices, $pendingAction, $refused, $server } from './panel.store.ts';

/** The actions of a panel. A refusal is displayed until the next success. */

/** Minimum time between two start requests, in milliseconds. Source: screens §A.8. */
const lock_ms = 5000;
const history = 500;

/** Requests a power action with its own id, so that a retry is not a second action. */
export async function power(action: PowerAction): Promise<void> {
  if (!openedPanel()) return;
  $pendingAction.set(action);
  const done = await requestFromPanel('server.power', { op_id: crypto.randomUUID(), action });
  if (done) $server.set(done.server);
  setTimeout(() => $pendingAction.set(null), done && action !== 'stop' && action !== 'kill' ? lock_ms : 0);
}

/** Sends one line to the console, at most once. Gives whether it was accepted. */
export const command = async (text: string): Promise<boolean> =>
  (await requestFromPanel('server.command', { text })) !== null;

export async function rename(name: string): Promise<boolean> {
  const done = await requestFromPanel('server.rename', { name });
  if (done) $server.set(done.server);
  return done !== null;
}

export const remove = async (): Promise<boolean> => (await requestFromPanel('server.delete', {})) !== null;

export async function dismissNotice(notice_id: string): Promise<void> {
  if (await requestFromPanel('notice.dismiss', { notice_id }))
    $notices.set($notices.get().filter(({ id }) => id !== notice_id));
}

/** Loads the lines before the oldest one shown; one request at a time. */
export async function readOlder(): Promise<void> {
  const { first } = $console.get();
  const panel = openedPanel();
  if (!panel || $loadingHistory.get() || !mayReadOlder($console.get())) return;
  $loadingHistory.set(true);
  const answer = await sendToPanel('server.history', { before: first, limit: history });
  if (answer.ok) panel.older(answer.console);
  else if (answer.error !== 'line_lost')
    $refused.set({ error: answer.error, description: answer.description });
  $loadingHistory.set(false);
}
