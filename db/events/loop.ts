import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../sql.ts';
import { PgSubscription } from './pg-subscription.ts';

/** Somebody who follows the events with a cursor of his own. */
export interface Reader {
  name: string;
  /** Handles the next batch and stores the cursor in one transaction. Gives how many events it handled. */
  step(): Promise<number>;
}

interface Options {
  log: Logger;
  /** Reads even when no NOTIFY came: events below an old open transaction become readable without one. */
  poll_ms?: number;
}

/**
 * Lets each reader work as events come, one process at a time for each reader: the others stand by and take over when
 * it goes. A step that fails is tried again, later every time, up to a minute. Gives the function that ends it all.
 */
export async function follow(
  sql: Pool,
  readers: Reader[],
  { log, poll_ms = 1_000 }: Options,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let wake = new AbortController();
  const heard = () => {
    const before = wake;
    wake = new AbortController();
    before.abort();
  };
  const subscription = new PgSubscription(sql, {
    name: 'event consumers',
    log,
    channels: ['events'],
    onChange: heard,
    onReconnect: heard,
  });
  await subscription.ready;
  /** Ends after `ms`, when something happened, or when all is over. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: AbortSignal.any([stop.signal, wake.signal]) }).catch(() => {});

  const run = async (reader: Reader) => {
    let failures = 0;
    while (!stop.signal.aborted) {
      const quiet = pause(poll_ms); // from before the step: what happens during it must wake us
      try {
        const handled = await inTurn(sql, reader);
        failures = 0;
        if (handled > 0) continue;
      } catch (error) {
        failures += 1;
        log.error({ err: error, reader: reader.name }, 'A reader of events failed and will try again');
        await pause(Math.min(60_000, 250 * 2 ** failures));
        continue;
      }
      await quiet;
    }
  };
  const running = Promise.all(readers.map(run));
  return async () => {
    stop.abort();
    await running;
    await subscription.close();
  };
}

/** One step while no other process takes one for this reader; 0 when another does. */
async function inTurn(sql: Pool, reader: Reader): Promise<number> {
  const held = await sql.reserve();
  try {
    const [row] = await held<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext(${`cairn.reader.${reader.name}`})) as mine`;
    if (!row?.mine) return 0;
    try {
      return await reader.step();
    } finally {
      await held`select pg_advisory_unlock(hashtext(${`cairn.reader.${reader.name}`}))`;
    }
  } finally {
    held.release();
  }
}
