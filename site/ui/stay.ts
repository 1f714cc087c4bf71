/** How long something stays: a clock that stands still while anything holds it. */
export interface Stay {
  /** Stops the clock until `free` is called with the same reason. */
  hold(reason: string): void;
  free(reason: string): void;
  /** Begins anew with the whole time; what holds goes on holding. */
  again(): void;
  /** Never ends by itself any more. */
  stop(): void;
}

/** Calls `ended` once, when `stays_ms` milliseconds have passed in which nothing held. */
export function stay(stays_ms: number, ended: () => void): Stay {
  const holds = new Set<string>();
  let left = stays_ms;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function go(): void {
    since = Date.now();
    timer = setTimeout(ended, left);
  }
  go();

  return {
    hold(reason) {
      if (holds.size === 0) {
        clearTimeout(timer);
        left -= Date.now() - since;
      }
      holds.add(reason);
    },
    free(reason) {
      if (holds.delete(reason) && holds.size === 0) go();
    },
    again() {
      clearTimeout(timer);
      left = stays_ms;
      if (holds.size === 0) go();
    },
    stop() {
      clearTimeout(timer);
      holds.add('stopped');
    },
  };
}
