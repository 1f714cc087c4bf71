import type { Logger } from 'pino';

const retry_ms = 500;

interface Options {
  log: Logger;
  /** What the log says of a read that failed; the next try is half a second later. */
  problem: string;
  /** How often it is read without being asked for. */
  poll_ms: number;
  /** Called before a read that nobody asked for, but for those that follow a failure. */
  onPoll?(): void;
}

/** A read that repeats itself. */
export interface RepeatedRead {
  /** Reads now. A read in progress is followed by another one, since it may have started before the change. */
  soon(): void;
  /** Ends it; resolves when nothing is read any more. */
  close(): Promise<void>;
}

/** Reads again when asked to, after a failure and every `poll_ms`, one read at a time. */
export function repeatedRead(
  read: () => Promise<void>,
  { log, problem, poll_ms, onPoll = () => {} }: Options,
): RepeatedRead {
  let running: Promise<void> | null = null;
  let asked = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function readOnce(): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (error) {
      log.warn({ err: error }, problem);
      return false;
    }
  }

  function soon(): void {
    if (closed) return;
    asked = true;
    running ??= (async () => {
      while (asked && !closed) {
        asked = false;
        clearTimeout(timer);
        const worked = await readOnce();
        const again = () => {
          if (worked) onPoll();
          soon();
        };
        timer = setTimeout(again, worked ? poll_ms : retry_ms).unref();
      }
    })().finally(() => {
      running = null;
      if (asked) soon();
    });
  }

  return {
    soon,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer); // of a read that was in progress
    },
  };
}
