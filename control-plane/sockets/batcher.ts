/**
 * Collects keys and processes them in batches, one at a time: a key that is added while a batch runs waits for the next
 * one, once. A batch that fails is reported and retried after a pause.
 */
export function createBatcher(
  work: (keys: string[]) => Promise<void>,
  failed: (error: unknown) => void,
  { max_batch = 200, retry_ms = 1_000 } = {},
): { add(key: string): void; idle(): Promise<void>; stop(): void } {
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const keys = [...waiting].slice(0, max_batch);
      for (const key of keys) waiting.delete(key);
      try {
        await work(keys);
      } catch (error) {
        if (stopped) return;
        failed(error);
        for (const key of keys) waiting.add(key);
        await new Promise((done) => setTimeout(done, retry_ms).unref());
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
