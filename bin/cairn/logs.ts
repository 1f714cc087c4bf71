import { stripVTControlCharacters } from 'node:util';
import type { ConsoleUpdate } from '#control/protocol/console.ts';
import { UserError } from '../user-error.ts';
import type { ControlClient } from './control-client.ts';

interface Wanted {
  server_id: string;
  /** How many of the last lines to begin with. */
  lines: number;
  follow: boolean;
}

/** One answer of `server.history` (control-plane/protocol/browser.ts) holds at most so many. */
const most = 2_000;

/**
 * Prints the last lines of a console and, with `follow`, each that comes, once, until somebody ends the command or the
 * right to read ends. After a lost connection it goes on where it was.
 */
export async function printLogs(plane: ControlClient, { server_id, lines, follow }: Wanted): Promise<void> {
  const printer = linePrinter(
    (text) => console.log(text),
    (text) => console.error(text),
  );
  const limit = Math.min(lines, most);
  const { console: past } = await plane.request('server.history', { server_id, before: null, limit });
  printer.begin(past);
  if (!follow) return;
  await new Promise<never>((_, fail) => {
    process.stdout.on('error', fail); // nobody reads any more
    plane.socket.on('access.revoked', ({ server_id: id, description }) => {
      if (id === server_id) fail(new UserError(description));
    });
    plane.socket.on('console', (update) => {
      if (update.server_id === server_id) printer.take(update);
    });
    const join = () => {
      const at = printer.at();
      const wish = { server_id, rooms: ['console' as const], ...(at ? { console: at } : {}) };
      plane.request('server.join', wish).then(({ console: missed }) => {
        if (missed) printer.take(missed);
      }, fail);
    };
    plane.socket.on('connect', join);
    join();
  });
}

/**
 * Puts updates into one run of lines: what came before is left out, what is missing is told. Every line is safe to show
 * in a terminal, whoever wrote it.
 */
export function linePrinter(line: (text: string) => void, note: (text: string) => void) {
  let epoch: string | null = null;
  let next = 1;
  const write = ({ lines }: ConsoleUpdate) => {
    for (const { seq, stream, text } of lines) {
      if (seq < next) continue;
      if (seq > next) note(`[${seq - next} lines lost]`);
      line(`${stream === 'in' ? '> ' : ''}${safe(text)}`);
      next = seq + 1;
    }
  };
  return {
    /** The first lines: what lies before them was not asked for. */
    begin(update: ConsoleUpdate): void {
      epoch = update.epoch;
      next = update.lines[0]?.seq ?? update.from;
      write(update);
    },
    take(update: ConsoleUpdate): void {
      if (update.epoch !== epoch) {
        epoch = update.epoch;
        next = 1;
      }
      write(update);
    },
    /** Where the next line belongs, for joining again. */
    at: (): { epoch: string; next: number } | null => (epoch ? { epoch, next } : null),
  };
}

const safe = (text: string): string => stripVTControlCharacters(text).replace(/[^\P{Cc}\t]/gu, '');
