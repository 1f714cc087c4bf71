import type { ConsoleUpdate } from '#control/protocol/console.ts';
import { askOn, type Events, type Message, type Reply } from './ask-on.ts';
import { type Console, emptyConsole, isAhead, withHistory, withUpdate } from './console/merge.ts';
import { withSample } from './figures.ts';
import { $console, $gone, $heard, $line, $notices, $samples, $server } from './panel.store.ts';
import { isFinal, openSocket, type Refusal, stay } from './socket.ts';

/** One panel's membership in its rooms: joins, joins again after a loss with what it has, lays updates to its stores. */

export interface Panel {
  id: string;
  /** Sends and waits for the answer, 10 s at most; rejects when the line is lost. */
  ask<E extends Events>(event: E, message: Message<E>): Promise<Reply<E>>;
  /** Lays the answer of a history to the console. */
  older(update: ConsoleUpdate): void;
}

const again_ms = 1500;

export function joined(id: string): Panel {
  const socket = openSocket();
  const console = keptConsole();
  const end = stay(socket, (refusal) => {
    if ($line.get() === 'gone') return;
    if (refusal && isFinal(refusal.error)) gone(refusal);
    else $line.set('lost');
  });
  const gone = (refusal: Refusal) => {
    end();
    $line.set('gone');
    $gone.set(refusal);
  };
  const join = () => askOn(socket, 'server.join', joinMessage(id, console.now()));
  let joining = false;
  const enter = async () => {
    if (joining) return;
    joining = true;
    const answer = await join().catch(() => null);
    joining = false;
    if (!answer) {
      if (socket.connected) setTimeout(enter, again_ms);
    } else if (answer.ok) {
      $server.set(answer.server);
      $notices.set(answer.notices);
      if (answer.console) console.lay(answer.console);
      $heard.set(true);
      $line.set('open');
    } else if (isFinal(answer.error)) gone(answer);
    else setTimeout(enter, again_ms);
  };
  socket.on('connect', enter);
  socket.on('state', ({ server }) => {
    if (server.id !== id) return;
    const before = $server.get()?.lifecycle;
    $server.set(server);
    // a suspended server has no console: it is there again afterwards
    if (before === 'suspended' && server.lifecycle !== before) void enter();
  });
  socket.on('stats', (stats) => stats.server_id === id && $samples.set(withSample($samples.get(), stats)));
  socket.on('notices', ({ server_id, notices }) => server_id === id && $notices.set(notices));
  socket.on('access.revoked', (refusal) => {
    if (refusal.server_id !== id) return;
    // what is left to see of it has rooms of its own
    if (refusal.error === 'server_suspended') void enter();
    else gone(refusal);
  });
  socket.on('node.status', ({ server_id, online, last_seen }) => {
    const server = $server.get();
    if (server_id !== id || !server) return;
    $server.set({ ...server, last_seen, ...(!online && { state: 'unknown' }) });
  });
  socket.on('console', (update) => {
    if (update.server_id !== id) return;
    // lines that came between are asked for before they are called lost; what comes meanwhile comes with that answer
    if (isAhead(console.now(), update)) void enter();
    else console.lay(update);
  });
  return {
    id,
    ask: (event, message) => askOn(socket, event, message),
    older: (update) => console.change((now) => withHistory(now, update)),
  };
}

const joinMessage = (server_id: string, { epoch, next }: Console): Message<'server.join'> => ({
  server_id,
  rooms: ['state', 'console', 'stats'],
  ...(epoch !== null && { console: { epoch, next } }),
});

/** The console, shown once a picture of the screen: a burst of lines is one change. In a hidden tab four times a second. */
function keptConsole() {
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
    lay: (update: ConsoleUpdate) => change((console) => withUpdate(console, update)),
  };
}
