import type { ConsoleUpdate } from '#control/protocol/console.ts';
import type { ControlClient } from '../../cairn/control-client.ts';

/** A client that follows a console and continues at its last line after each reconnect. */
export interface Viewer {
  /** Every start of the process, oldest first, with its lines by number. */
  epochs: Map<string, Map<number, string>>;
  /** All lines, oldest first. */
  texts(): string[];
  /** Numbers missing between received lines. */
  missing(): string[];
}

export function viewerOf({ socket, request }: ControlClient, server_id: string): Viewer {
  const epochs: Viewer['epochs'] = new Map();
  let at: { epoch: string; next: number } | null = null;
  const take = ({ epoch, lines }: ConsoleUpdate) => {
    const known = epochs.get(epoch) ?? new Map<number, string>();
    epochs.set(epoch, known);
    for (const { seq, text } of lines) known.set(seq, text);
    const next = Math.max(0, ...known.keys()) + 1;
    at = { epoch, next };
  };
  const join = async (): Promise<void> => {
    const wish = { server_id, rooms: ['console' as const], ...(at ? { console: at } : {}) };
    const { console: missed } = await request('server.join', wish);
    if (missed) take(missed);
  };
  // rate limited, or disconnected again: the next connection subscribes
  socket.on('connect', () => void join().catch(() => {}));
  socket.on('console', (update) => update.server_id === server_id && take(update));
  void join().catch(() => {});
  return {
    epochs,
    texts: () =>
      [...epochs.values()].flatMap((lines) => [...lines].sort(([a], [b]) => a - b).map(([, text]) => text)),
    missing: () =>
      [...epochs].flatMap(([epoch, lines]) => {
        const last = Math.max(0, ...lines.keys());
        const gone = Array.from({ length: last }, (_, index) => index + 1).filter((seq) => !lines.has(seq));
        return gone.length > 0
          ? [`${gone.length} of ${last} lines of ${epoch}: ${gone.slice(0, 5)} ...`]
          : [];
      }),
  };
}
