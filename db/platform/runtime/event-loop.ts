import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Delays of the event loop in milliseconds: the median, the 99th percentile and the maximum. */
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
 * Watches the event loop of this process: a delay is work of one request that all others waited for. Logs a warning when it
 * passes a second, at most once a minute, with the length of the delay and never for whom it was. `/metrics` has the same figures under
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
    // the histogram has counted a delay that ends now only after this; resetting it earlier would lose the delay
    const began = performance.now();
    await setImmediate();
    // one that began after this did is not in the histogram yet, and resetting it would lose that one
    unsaid_ms = Math.max(unsaid_ms, milliseconds(worst.max), performance.now() - began);
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
