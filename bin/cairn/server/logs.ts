import { stripVTControlCharacters } from 'node:util';
import { messages } from '#content/messages.ts';
import type { ConsoleUpdate } from '#control/protocol/console.ts';
import { ownSentence } from '#site/hosting/panel/console/own-line.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';

interface Wanted {
  server_id: string;
  /** How many of the last lines to print first. */
  lines: number;
  follow: boolean;
}

/** The most lines in one answer of `server.history` (control-plane/protocol/browser.ts). */
const most = 2_000;

/**
 * Prints the last lines of a console and, with `follow`, each new one, once, until the command is interrupted or the
 * access is revoked. After a lost connection it continues at the same line.
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
    process.stdout.on('error', fail); // the reader closed the pipe
    plane.socket.on('access.revoked', ({ server_id: id, description }) => {
      if (id === server_id) fail(new UserError(description));
    });
    plane.socket.on('console', (update) => {
      if (update.server_id === server_id) printer.take(update);
    });
    const join = () => {
      const at = printer.at();
      printer.hold();
      const wish = { server_id, rooms: ['console' as const], ...(at ? { console: at } : {}) };
      plane.request('server.join', wish).then(({ console: missed }) => {
        printer.release(missed);
      }, fail);
    };
    plane.socket.on('connect', join);
    join();
  });
}

/**
 * Merges updates into one sequence of lines: repeated lines are dropped, gaps are reported. Every line is safe to print
 * to a terminal, whoever wrote it.
 */
export function linePrinter(line: (text: string) => void, note: (text: string) => void) {
  let epoch: string | null = null;
  let next = 1;
  /** Updates that came before the answer with the lines before them. */
  let held: ConsoleUpdate[] | null = null;
  const write = ({ lines }: ConsoleUpdate) => {
    for (const { seq, stream, text } of lines) {
      if (seq < next) continue;
      if (seq > next) note(`[${seq - next} lines missing]`);
      line(
        stream === 'cairn'
          ? `[cairn] ${ownSentence(english, safe(text))}`
          : `${stream === 'in' ? '> ' : ''}${safe(text)}`,
      );
      next = seq + 1;
    }
  };
  const take = (update: ConsoleUpdate) => {
    if (update.epoch !== epoch) {
      epoch = update.epoch;
      next = 1;
    }
    write(update);
  };
  return {
    /** The first lines: earlier ones were not requested. */
    begin(update: ConsoleUpdate): void {
      epoch = update.epoch;
      next = update.lines[0]?.seq ?? update.from;
      write(update);
    },
    /** Live lines. */
    take(update: ConsoleUpdate): void {
      if (held) held.push(update);
      else take(update);
    },
    /** Live lines wait from now on: those before them were requested. */
    hold(): void {
      held ??= [];
    },
    /** The missed lines came, or there are none. */
    release(missed: ConsoleUpdate | null): void {
      const waiting = held ?? [];
      held = null;
      for (const update of [...(missed ? [missed] : []), ...waiting]) take(update);
    },
    /** The position of the next line, for subscribing again. */
    at: (): { epoch: string; next: number } | null => (epoch ? { epoch, next } : null),
  };
}

/** What Cairn itself did is said in the words of the panel. */
const english = { t: messages('en-US').t, number: String };

const safe = (text: string): string => stripVTControlCharacters(text).replace(/[^\P{Cc}\t]/gu, '');
