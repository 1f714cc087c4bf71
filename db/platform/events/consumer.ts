import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../postgres/sql.ts';
import { retry } from '../runtime/retry.ts';
import { PgSubscription } from './pg-subscription.ts';

/** A consumer of events with a cursor of its own. */
export interface EventConsumer {
  name: string;
  /** Handles the next batch and stores the cursor in one transaction. Gives how many events it handled. */
  step(): Promise<number>;
}

interface ConsumerOptions {
  log: Logger;
  /** Poll interval without a NOTIFY: events hidden by an old open transaction become readable without one. */
  poll_ms?: number;
}

/**
 * Runs consumers on new events, each in one process at a time; other processes stand by and take over when that one
 * ends. A failed step is retried with backoff of up to a minute. Gives a function that stops them.
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
  /** Resolves after `ms`, on an event, or when consumers are stopped. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: AbortSignal.any([stop.signal, wake.signal]) }).catch(() => {});

  const run = async (consumer: EventConsumer) => {
    while (!stop.signal.aborted) {
      const quiet = pause(poll_ms); // counted from before the step, so that an event during it triggers the next one
      const handled = await retry(() => withConsumerLock(sql, consumer), {
        ...{ signal: stop.signal, min_ms: 500, max_ms: 60_000 },
        onFailure: (err) => log.error({ err, consumer: consumer.name }, 'Event consumer failed; retrying'),
      });
      if (handled === 0) await quiet;
    }
  };
  const running = Promise.allSettled(consumers.map(run));
  return async () => {
    stop.abort();
    await running;
    await subscription.close();
  };
}

/** Runs one step under the consumer's lock; gives 0 when another process holds it. */
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
