import type { PanelEvents, Room } from '#control/protocol/browser.ts';
import type { ConsoleUpdate } from '#control/protocol/console.ts';
import type { ApiResult } from '../../../platform/browser/api-client.ts';
import { type Events, type Message, type Result, requestOn } from '../../shared/request.ts';
import { isFinal, keepConnected, openSocket, type Refusal } from '../../shared/socket.ts';
import { applyUpdate, type Console, emptyConsole, isAhead, withHistory } from './apply-update.ts';
import {
  $access,
  $accessLost,
  $connection,
  $console,
  $consoleLoaded,
  $notices,
  $operation,
  $present,
  $samples,
  $server,
  $unreportedAction,
} from './panel.store.ts';
import { withSamples } from './stats.ts';

/**
 * A panel's subscription: subscribes, resubscribes from its last position after a connection loss, applies updates to
 * the stores.
 */

export interface Panel {
  id: string;
  /** Sends a request and waits for its answer, 10 s at most. */
  request<E extends Events>(event: E, message: Message<E>): Promise<ApiResult<Result<E>>>;
  /** Calls `listener` with every event of this name, until the function that this gives is called. */
  on<E extends keyof PanelEvents>(event: E, listener: PanelEvents[E]): () => void;
  /** Applies a reply with older lines to the console. */
  older(update: ConsoleUpdate): void;
}

const retry_ms = 1500;

/** Connects to these rooms of server `id`. */
export function connectPanel(id: string, rooms: readonly Room[]): Panel {
  const socket = openSocket();
  const console = cachedConsole();
  const end = keepConnected(socket, (refusal) => {
    if ($connection.get() === 'gone') return;
    if (refusal && isFinal(refusal.error)) disconnected(refusal);
    else $connection.set('lost');
  });
  const disconnected = (refusal: Refusal) => {
    end();
    $connection.set('gone');
    $accessLost.set(refusal);
  };
  const join = () => requestOn(socket, 'server.join', joinMessage(id, rooms, console.now()));
  let joining = false;
  const enter = async () => {
    if (joining) return;
    joining = true;
    const result = await join();
    joining = false;
    if (result.ok) {
      $server.set(result.data.server);
      $access.set(result.data.access);
      $notices.set(result.data.notices);
      $samples.set(withSamples($samples.get(), result.data.stats));
      if (result.data.console) console.lay(result.data.console);
      $consoleLoaded.set(true);
      $connection.set('open');
      return;
    }
    const { code, description } = result.error;
    if (isFinal(code)) disconnected({ error: code, description });
    else if (socket.connected) setTimeout(enter, retry_ms);
  };
  socket.on('connect', enter);
  socket.on('state', ({ server }) => {
    if (server.id !== id) return;
    const before = $server.get();
    if (before?.state !== server.state) $unreportedAction.set(null);
    $server.set(server);
    // a suspended server has no console: subscribe again after the suspension
    if (before?.lifecycle === 'suspended' && server.lifecycle !== 'suspended') void enter();
  });
  socket.on('stats', (stats) => stats.server_id === id && $samples.set(withSamples($samples.get(), [stats])));
  socket.on('notices', ({ server_id, notices }) => server_id === id && $notices.set(notices));
  socket.on('operation', ({ server_id, operation }) => server_id === id && $operation.set(operation));
  socket.on('access', ({ server_id, access }) => server_id === id && $access.set(access));
  socket.on('presence', ({ server_id, people }) => server_id === id && $present.set(people));
  socket.on('access.revoked', (refusal) => {
    if (refusal.server_id !== id) return;
    // what remains visible needs another subscription
    if (refusal.error === 'server_suspended') void enter();
    else disconnected(refusal);
  });
  socket.on('node.status', ({ server_id, online, last_seen }) => {
    const server = $server.get();
    if (server_id !== id || !server) return;
    $server.set({ ...server, last_seen, ...(!online && { state: 'unknown' }) });
  });
  socket.on('console', (update) => {
    if (update.server_id !== id) return;
    // request missing lines before they count as lost; the reply includes what arrives meanwhile
    if (isAhead(console.now(), update)) void enter();
    else console.lay(update);
  });
  return {
    id,
    request: (event, message) => requestOn(socket, event, message),
    on(event, listener) {
      // the types of the package do not support an event name in a parameter
      socket.on(event as string as 'state', listener as PanelEvents['state']);
      return () => socket.off(event as string as 'state', listener as PanelEvents['state']);
    },
    older: (update) => console.change((now) => withHistory(now, update)),
  };
}

const joinMessage = (
  server_id: string,
  rooms: readonly Room[],
  { epoch, next }: Console,
): Message<'server.join'> => ({
  server_id,
  rooms: [...rooms],
  ...(epoch !== null && { console: { epoch, next } }),
});

/**
 * Updates the console once per animation frame: a burst of lines is one render. In a hidden tab four times a second.
 */
function cachedConsole() {
  let now = emptyConsole;
  let isWaiting = false;
  const show = () => {
    isWaiting = false;
    $console.set(now);
  };
  const change = (to: (console: Console) => Console) => {
    now = to(now);
    if (isWaiting || now === $console.get()) return;
    isWaiting = true;
    if (document.hidden) setTimeout(show, 250);
    else requestAnimationFrame(show);
  };
  return {
    now: () => now,
    change,
    lay: (update: ConsoleUpdate) => change((console) => applyUpdate(console, update)),
  };
}
