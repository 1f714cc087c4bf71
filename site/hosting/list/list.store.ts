import { atom, map } from 'nanostores';
import type { PlayerCount } from '#control/protocol/console.ts';
import type { PowerAction } from '#db/hosting/servers/rules.ts';
import type { ServerView, SharedServer } from '#db/hosting/servers/view.ts';
import { mutate } from '../../platform/browser/mutate.ts';
import { requestOn } from '../shared/request.ts';
import { keepConnected, openSocket } from '../shared/socket.ts';
import { isInTransition } from '../shared/state.ts';
import { lock_ms } from '../shared/time.ts';

/** A user's servers, polled while the page is visible. */

export const $servers = atom<readonly ServerView[] | null>(null);
/** Of the servers of others, by ID. */
export const $shared = atom<Readonly<Record<string, SharedServer>>>({});
/** Whether the displayed list may be outdated. */
export const $stale = atom(false);
/** Players on running servers, by ID. */
export const $players = atom<Readonly<Record<string, PlayerCount>>>({});
/** Requested actions by server, until its state changed or `lock_ms` passed since the answer. */
export const $pendingActions = map<Record<string, PowerAction>>({});

/** While something is about to change, and otherwise. */
const short_poll_ms = 1000;
const long_poll_ms = 5000;

const socket = typeof window === 'undefined' ? null : openSocket();
let isOpen = false;
/** Whether a change is expected that no server shows, such as a new one. */
let isAwaited: (servers: readonly ServerView[]) => boolean = () => false;

/** Starts polling; call once per page. `awaited` says whether a change is expected that no server shows. */
export function openList(
  { first, shared }: { first: readonly ServerView[]; shared: Readonly<Record<string, SharedServer>> },
  awaited: (servers: readonly ServerView[]) => boolean,
): void {
  isAwaited = awaited;
  if (isOpen || !socket) return;
  isOpen = true;
  $shared.set(shared);
  $servers.set(first);
  socket.on('connect', () => void refresh());
  keepConnected(socket, () => $stale.set(true));
  document.addEventListener('visibilitychange', () => document.hidden || void refresh());
}

let timer: ReturnType<typeof setTimeout> | undefined;
async function refresh(): Promise<void> {
  clearTimeout(timer);
  if (!socket?.connected) return;
  if (!document.hidden) {
    const result = await requestOn(socket, 'server.list', {});
    $stale.set(!result.ok);
    if (result.ok) {
      $shared.set(result.data.shared);
      shown(result.data.servers);
      $players.set(result.data.players);
    }
  }
  pollAgain();
}

function pollAgain(): void {
  const now = $servers.get() ?? [];
  const isChanging =
    Object.keys($pendingActions.get()).length > 0 || now.some(isInTransition) || isAwaited(now);
  clearTimeout(timer);
  timer = setTimeout(refresh, isChanging ? short_poll_ms : long_poll_ms);
}

/** Shows the servers as they are now; an action whose server has another state has begun. */
function shown(servers: readonly ServerView[]): void {
  const before = new Map(($servers.get() ?? []).map(({ id, state }) => [id, state]));
  for (const { id, state } of servers) if (before.has(id) && before.get(id) !== state) clear(id);
  $servers.set(servers);
}
const clear = (server_id: string) => $pendingActions.setKey(server_id, undefined as never);

/** Starts or stops a server, which is shown at once. A refusal is shown as a toast. */
export async function powerOf(server_id: string, action: PowerAction): Promise<void> {
  if (!socket) return;
  const message = { server_id, op_id: crypto.randomUUID(), action };
  await mutate({
    async send() {
      $pendingActions.setKey(server_id, action);
      const result = await requestOn(socket, 'server.power', message);
      setTimeout(clear, result.ok ? lock_ms : 0, server_id);
      pollAgain();
      return result;
    },
    repeatable: true,
    refresh: ({ server }) =>
      shown(($servers.get() ?? []).map((one) => (one.id === server_id ? server : one))),
  });
}
