import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../sql.ts';
import { PgSubscription } from './pg-subscription.ts';

/** Somebody who follows the events with a cursor of his own. */
export interface EventConsumer {
  name: string;
  /** Handles the next batch and stores the cursor in one transaction. Gives how many events it handled. */
  step(): Promise<number>;
}

interface ConsumerOptions {
  log: Logger;
  /** Reads even when no NOTIFY came: events below an old open transaction become readable without one. */
  poll_ms?: number;
}

/**
 * Lets each reader work as events come, one process at a time for each reader: the others stand by and take over when
 * it goes. A step that fails is tried again, later every time, up to a minute. Gives the function that ends it all.
 */
export async function runConsumers(
  sql: Pool,
  consumers: EventConsumer[],
  { log, poll_ms = 1_000 }: ConsumerOptions,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let wake = new AbortController();
  const onNotify = () => {
    const before = wake;
    wake = new AbortController();
    before.abort();
  };
  const subscription = new PgSubscription(sql, {
    name: 'event consumers',
    log,
    channels: ['events'],
    onChange: onNotify,
    onReconnect: onNotify,
  });
  await subscription.ready;
  /** Ends after `ms`, when something happened, or when all is over. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: AbortSignal.any([stop.signal, wake.signal]) }).catch(() => {});

  const run = async (consumer: EventConsumer) => {
    let failures = 0;
    while (!stop.signal.aborted) {
      const quiet = pause(poll_ms); // from before the step: what happens during it must wake us
      try {
        const handled = await withConsumerLock(sql, consumer);
        failures = 0;
        if (handled > 0) continue;
      } catch (error) {
        failures += 1;
        log.error({ err: error, reader: consumer.name }, 'A reader of events failed and will try again');
        await pause(Math.min(60_000, 250 * 2 ** failures));
        continue;
      }
      await quiet;
    }
  };
  const running = Promise.all(consumers.map(run));
  return async () => {
    stop.abort();
    await running;
    await subscription.close();
  };
}

/** One step while no other process takes one for this reader; 0 when another does. */
async function withConsumerLock(sql: Pool, consumer: EventConsumer): Promise<number> {
  const connection = await sql.reserve();
  try {
    const [row] = await connection<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtext(${`cairn.reader.${consumer.name}`})) as mine`;
    if (!row?.mine) return 0;
    try {
      return await consumer.step();
    } finally {
      await connection`select pg_advisory_unlock(hashtext(${`cairn.reader.${consumer.name}`}))`;
    }
  } finally {
    connection.release();
  }
}
