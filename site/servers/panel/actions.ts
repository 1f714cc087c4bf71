import type { NoticeView } from '#db/notices/view.ts';
import type { PowerAction } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { Refusal } from '../shared/socket.ts';
import { connectPanel, type Panel } from './connection.ts';
import { mayReadOlder } from './console/apply-update.ts';
import { $console, $loadingHistory, $notices, $pendingAction, $refused, $server } from './panel.store.ts';

/** The actions of a panel. A refusal is displayed until the next success. */

/** Minimum time between two start requests, in milliseconds. Source: screens §A.8. */
const lock_ms = 5000;
const history = 500;

let panel: Panel | null = null;

/** Opens the connection of the panel of `first`; call once per page. */
export function openPanel(first: ServerView, notices: readonly NoticeView[]): void {
  if (panel) return;
  $server.set(first);
  $notices.set(notices);
  panel = connectPanel(first.id);
}

const answered = (answer: { ok: boolean } & Partial<Refusal>): boolean => {
  $refused.set(answer.ok ? null : { error: answer.error ?? '', description: answer.description ?? '' });
  return answer.ok;
};
const lost = { ok: false, error: 'line_lost', description: '' } as const;

/** Requests a power action with its own id, so that a retry is not a second action. */
export async function power(action: PowerAction): Promise<void> {
  if (!panel) return;
  $pendingAction.set(action);
  const answer = await panel
    .request('server.power', { server_id: panel.id, op_id: crypto.randomUUID(), action })
    .catch(() => lost);
  if (answered(answer) && 'server' in answer) $server.set(answer.server);
  setTimeout(
    () => $pendingAction.set(null),
    answer.ok && action !== 'stop' && action !== 'kill' ? lock_ms : 0,
  );
}

/** Sends one line to the console, at most once. Gives whether it was accepted. */
export async function command(text: string): Promise<boolean> {
  if (!panel) return false;
  return answered(await panel.request('server.command', { server_id: panel.id, text }).catch(() => lost));
}

export async function rename(name: string): Promise<boolean> {
  if (!panel) return false;
  const answer = await panel.request('server.rename', { server_id: panel.id, name }).catch(() => lost);
  if (answered(answer) && 'server' in answer) $server.set(answer.server);
  return answer.ok;
}

export async function remove(): Promise<boolean> {
  if (!panel) return false;
  return answered(await panel.request('server.delete', { server_id: panel.id }).catch(() => lost));
}

export async function dismissNotice(notice_id: string): Promise<void> {
  if (!panel) return;
  if (answered(await panel.request('notice.dismiss', { notice_id }).catch(() => lost)))
    $notices.set($notices.get().filter(({ id }) => id !== notice_id));
}

/** Loads the lines before the oldest one shown; one request at a time. */
export async function readOlder(): Promise<void> {
  const { first } = $console.get();
  if (!panel || $loadingHistory.get() || !mayReadOlder($console.get())) return;
  $loadingHistory.set(true);
  const answer = await panel
    .request('server.history', { server_id: panel.id, before: first, limit: history })
    .catch(() => lost);
  if (answer.ok) panel.older(answer.console);
  else if (answer.error !== 'line_lost') answered(answer);
  $loadingHistory.set(false);
}
