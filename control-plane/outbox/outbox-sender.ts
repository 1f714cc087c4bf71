import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '#db/context.ts';
import { backoffMs } from '#db/platform/runtime/backoff.ts';

/** Sends what waits in an outbox: mails, calls of webhooks. */
export interface OutboxSender {
  /** Rows that a step takes at most. */
  batch: number;
  /** Sends what is due. Gives how many it took, and whether the server behind it takes anything at all. */
  step(): Promise<{ taken: number; is_server_away: boolean }>;
}

const idle_ms = 1_000;
/** After a server that takes nothing. */
const pause_bounds = { min_ms: 5_000, max_ms: 60_000 };

/** Runs `step` until it is stopped: at once while there is more to send than a step takes, else every second. */
export function runOutboxSender(
  sender: OutboxSender,
  name: string,
  log: AppContext['log'],
): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
  const running = (async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const result = await sender.step().catch((err) => {
        log.error({ err, outbox: name }, 'Outbox could not be sent, will retry');
        return { taken: 0, is_server_away: true };
      });
      failures = result.is_server_away ? failures + 1 : 0;
      if (failures > 0) await pause(backoffMs(failures, pause_bounds));
      else if (result.taken < sender.batch) await pause(idle_ms);
    }
  })();
  return async () => {
    stopping.abort();
    await Promise.race([running, wait(5_000, undefined, { ref: false })]);
  };
}
