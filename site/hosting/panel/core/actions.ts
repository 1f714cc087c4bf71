import type { PowerAction } from '#db/hosting/servers/rules.ts';
import { mutate } from '../../../platform/browser/mutate.ts';
import { lock_ms } from '../../shared/time.ts';
import { mayReadOlder } from './apply-update.ts';
import { openedPanel, requestFromPanel } from './open-panel.ts';
import {
  $accessLost,
  $console,
  $loadingHistory,
  $notices,
  $pendingAction,
  $server,
  $unreportedAction,
} from './panel.store.ts';

/** The actions of a panel. A refusal is shown as a toast. */

const history = 500;

/** Requests a power action. Its id is made once, so that a retry is not a second action. */
export async function power(action: PowerAction): Promise<void> {
  if (!openedPanel()) return;
  const op_id = crypto.randomUUID();
  await mutate({
    async send() {
      $pendingAction.set(action);
      $unreportedAction.set(action);
      const result = await requestFromPanel('server.power', { op_id, action });
      const isLocked = result.ok && action !== 'stop' && action !== 'kill';
      setTimeout(() => $pendingAction.set(null), isLocked ? lock_ms : 0);
      setTimeout(() => $unreportedAction.set(null), result.ok ? lock_ms : 0);
      return result;
    },
    repeatable: true,
    refresh: ({ server }) => $server.set(server),
  });
}

/** Sends one line to the console, at most once. Gives whether it was accepted. */
export const command = async (text: string): Promise<boolean> =>
  (await mutate({ send: () => requestFromPanel('server.command', { text }) })).ok;

/** Renames the server; calls `renamed` when it has the new name. */
export async function rename(name: string, renamed: () => void): Promise<void> {
  await mutate({
    send: () => requestFromPanel('server.rename', { name }),
    repeatable: true,
    refresh({ server }) {
      $server.set(server);
      renamed();
    },
  });
}

/** Deletes the server, then leads to `list` and shows the toast `deleted` there. */
export async function remove(list: string, deleted: string): Promise<void> {
  await mutate({
    async send() {
      const result = await requestFromPanel('server.delete', {});
      // the news that the server is gone may close the connection before the answer comes
      const isGone = [$accessLost.get()?.error, !result.ok && result.error.code].includes('server_not_found');
      return isGone ? { ok: true as const, data: {} } : result;
    },
    repeatable: true,
    success: { title: deleted, text: '' },
    redirect: () => list,
  });
}

export async function dismissNotice(notice_id: string): Promise<void> {
  await mutate({
    send: () => requestFromPanel('notice.dismiss', { notice_id }),
    repeatable: true,
    refresh: () => $notices.set($notices.get()?.filter(({ id }) => id !== notice_id) ?? null),
  });
}

/** Loads the lines before the oldest one shown; one request at a time. */
export async function readOlder(): Promise<void> {
  const { first } = $console.get();
  const panel = openedPanel();
  if (!panel || $loadingHistory.get() || !mayReadOlder($console.get())) return;
  $loadingHistory.set(true);
  await mutate({
    send: () => requestFromPanel('server.history', { before: first, limit: history }),
    refresh: ({ console }) => panel.older(console),
    // the panel says that the connection is lost, and the reader asks again by scrolling
    refused: ({ status }) => status === 0,
  });
  $loadingHistory.set(false);
}
