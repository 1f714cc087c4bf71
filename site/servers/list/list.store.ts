import { atom } from 'nanostores';
import type { PowerAction } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { requestOn } from '../shared/request.ts';
import { keepConnected, openSocket, type Refusal } from '../shared/socket.ts';

/** A user's servers, polled while the page is visible. */

export const $servers = atom<readonly ServerView[] | null>(null);
/** Whether the displayed list may be outdated. */
export const $stale = atom(false);
/** The refusal of the last action. */
export const $refused = atom<Refusal | null>(null);
/** Servers with an action in progress. */
export const $pendingAction = atom<readonly string[]>([]);

/** About as often as a server changes while it is set up; slower when nothing is expected to change. */
const short_poll_ms = 2000;
const long_poll_ms = 5000;

const socket = typeof window === 'undefined' ? null : openSocket();
let isOpen = false;
/** Whether a change is expected, which sets the interval. */
let isAwaited: (servers: readonly ServerView[]) => boolean = () => false;

/** Starts polling; call once per page. `awaited` says whether something is about to change. */
export function openList(awaited: (servers: readonly ServerView[]) => boolean): void {
  isAwaited = awaited;
  if (isOpen || !socket) return;
  isOpen = true;
  socket.on('connect', () => void refresh());
  keepConnected(socket, () => $stale.set(true));
  document.addEventListener('visibilitychange', () => document.hidden || void refresh());
}

let timer: ReturnType<typeof setTimeout> | undefined;
async function refresh(): Promise<void> {
  clearTimeout(timer);
  if (!socket?.connected) return;
  if (!document.hidden) {
    const answer = await requestOn(socket, 'server.list', {}).catch(() => null);
    $stale.set(!answer?.ok);
    if (answer?.ok) $servers.set(answer.servers);
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, isAwaited($servers.get() ?? []) ? short_poll_ms : long_poll_ms);
}

/** Starts or stops a server. */
export async function powerOf(server_id: string, action: PowerAction): Promise<void> {
  if (!socket) return;
  $pendingAction.set([...$pendingAction.get(), server_id]);
  const message = { server_id, op_id: crypto.randomUUID(), action };
  const answer = await requestOn(socket, 'server.power', message).catch(
    () => ({ ok: false, error: 'line_lost', description: '' }) as const,
  );
  $refused.set(answer.ok ? null : answer);
  $pendingAction.set($pendingAction.get().filter((id) => id !== server_id));
  await refresh();
}
