/**
 * Gathers keys and hands them on together, one batch at a time: what comes while a batch is worked on waits for the next,
 * however often it comes. A batch that fails is reported and tried again after a pause.
 */
export function gather(
  work: (keys: string[]) => Promise<void>,
  failed: (error: unknown) => void,
  { most = 200, again_ms = 1_000 } = {},
): { add(key: string): void; idle(): Promise<void>; stop(): void } {
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const keys = [...waiting].slice(0, most);
      for (const key of keys) waiting.delete(key);
      try {
        await work(keys);
      } catch (error) {
        if (stopped) return;
        failed(error);
        for (const key of keys) waiting.add(key);
        await new Promise((go) => setTimeout(go, again_ms).unref());
      }
    }
  }

  const begin = () => {
    running ??= run().finally(() => {
      running = null;
      if (waiting.size > 0 && !stopped) begin();
    });
  };
  return {
    add(key) {
      if (stopped) return;
      waiting.add(key);
      begin();
    },
    idle: async () => {
      while (running) await running;
    },
    stop() {
      stopped = true;
    },
  };
}
