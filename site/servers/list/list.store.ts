import { atom } from 'nanostores';
import type { PowerAction } from '#db/servers/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import { requestOn } from '../shared/request.ts';
import { keepConnected, openSocket, type Refusal } from '../shared/socket.ts';

/** A person's servers, asked for again while somebody looks. */

export const $servers = atom<readonly ServerView[] | null>(null);
/** Whether what is shown may be old. */
export const $stale = atom(false);
/** Why the last thing asked for was not done. */
export const $refused = atom<Refusal | null>(null);
/** Servers something is being done with. */
export const $pendingAction = atom<readonly string[]>([]);

/** As often as the record of a server changes while it is made; more seldom when nothing is awaited. */
const short_poll_ms = 2000;
const long_poll_ms = 5000;

const socket = typeof window === 'undefined' ? null : openSocket();
let isOpen = false;
/** How long to wait, by whether something is awaited. */
let isAwaited: (servers: readonly ServerView[]) => boolean = () => false;

/** Begins to ask; once a page. `awaited` says whether something is about to change. */
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

/** Starts or stops one of them. */
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
