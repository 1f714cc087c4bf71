/** A timer that can be paused. */
export interface PausableTimer {
  /** Pauses the timer until `free` is called with the same reason. */
  pause(reason: string): void;
  resume(reason: string): void;
  /** Starts again with the whole time; active pauses stay. */
  restart(): void;
  /** Cancels the timer. */
  stop(): void;
}

/** Calls `ended` once, after `timeout_ms` milliseconds without a pause. */
export function pausableTimer(timeout_ms: number, ended: () => void): PausableTimer {
  const pauses = new Set<string>();
  let left = timeout_ms;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function go(): void {
    since = Date.now();
    timer = setTimeout(ended, left);
  }
  go();

  return {
    pause(reason) {
      if (pauses.size === 0) {
        clearTimeout(timer);
        left -= Date.now() - since;
      }
      pauses.add(reason);
    },
    resume(reason) {
      if (pauses.delete(reason) && pauses.size === 0) go();
    },
    restart() {
      clearTimeout(timer);
      left = timeout_ms;
      if (pauses.size === 0) go();
    },
    stop() {
      clearTimeout(timer);
      pauses.add('stopped');
    },
  };
}
