/** How long something stays: a clock that stands still while anything holds it. */
export interface PausableTimer {
  /** Stops the clock until `free` is called with the same reason. */
  pause(reason: string): void;
  resume(reason: string): void;
  /** Begins anew with the whole time; what holds goes on holding. */
  restart(): void;
  /** Never ends by itself any more. */
  stop(): void;
}

/** Calls `ended` once, when `visible_ms` milliseconds have passed in which nothing held. */
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
