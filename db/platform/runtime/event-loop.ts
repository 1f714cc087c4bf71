import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How late a process came to its work, in milliseconds: half of the time, 99 of 100 times, and the worst. */
export interface LoopDelay {
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

interface LoopWatch {
  /** The delay since the last call. */
  take(): Promise<LoopDelay>;
  close(): void;
}

const usual = {
  /** A line of the log from this delay on. */
  slow_ms: 1_000,
  check_ms: 5_000,
  /** Between two lines. */
  quiet_ms: 60_000,
};

const milliseconds = (nanoseconds: number): number => Math.max(0, Math.round(nanoseconds / 1e5) / 10);

/**
 * Watches the event loop of this process, which everybody shares: a delay is work of one that all others waited for. Writes a
 * warning when it passes a second, at most once a minute; it says how long, never for whom. `/metrics` has the same figures under
 * `nodejs_eventloop_lag_`.
 */
export function watchEventLoop(log: Pick<Logger, 'warn'>, timing: Partial<typeof usual> = {}): LoopWatch {
  const { slow_ms, check_ms, quiet_ms } = { ...usual, ...timing };
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const worst = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  worst.enable();
  let said_at = Number.NEGATIVE_INFINITY;
  let unsaid_ms = 0;
  const check = async () => {
    // a delay that ends now is counted by then; before that, resetting would forget it
    await setImmediate();
    unsaid_ms = Math.max(unsaid_ms, milliseconds(worst.max));
    worst.reset();
    if (unsaid_ms < slow_ms || performance.now() - said_at < quiet_ms) return;
    log.warn({ delay_ms: Math.round(unsaid_ms) }, 'The event loop was blocked');
    said_at = performance.now();
    unsaid_ms = 0;
  };
  const timer = setInterval(() => void check(), check_ms);
  timer.unref();
  return {
    async take() {
      await setImmediate();
      const taken = {
        p50_ms: milliseconds(delays.percentile(50)),
        p99_ms: milliseconds(delays.percentile(99)),
        max_ms: milliseconds(delays.max),
      };
      delays.reset();
      return taken;
    },
    close() {
      clearInterval(timer);
      delays.disable();
      worst.disable();
    },
  };
}
