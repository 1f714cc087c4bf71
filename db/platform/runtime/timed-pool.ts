import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** What a task tells when work on it begins: time in a queue, and to load code, must not count. */
export interface Started {
  started: MessagePort;
}

interface PoolOptions {
  /** The module whose default export does a task. */
  filename: URL;
  threads: number;
  /** The heap of a thread, in mebibytes. */
  memory_mb: number;
}

export interface TimedPool<T extends object, R> {
  /**
   * Does a task in a thread of its own. `value` is null when it was stopped after `limit_ms`, or ran out of memory: the next
   * task gets a new thread.
   */
  run(task: T, limit_ms: number): Promise<{ value: R | null; worked_ms: number }>;
  close(): Promise<void>;
}

/**
 * Threads that are started with the first task and end after a minute without one. Give it no more tasks at once than it has
 * threads: a pool without a free thread may never start a queued task after a thread was stopped.
 */
export function timedPool<T extends object, R>({
  filename,
  threads,
  memory_mb,
}: PoolOptions): TimedPool<T, R> {
  const pool = new Piscina<T & Started, R>({
    filename: filename.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: memory_mb },
  });
  return {
    async run(task, limit_ms) {
      const { port1, port2 } = new MessageChannel();
      const stop = new AbortController();
      let clock: NodeJS.Timeout | undefined;
      let begun_ms: number | null = null;
      port1.once('message', () => {
        begun_ms = performance.now();
        clock = setTimeout(() => stop.abort(), limit_ms);
      });
      const worked_ms = () => (begun_ms === null ? 0 : performance.now() - begun_ms);
      try {
        const value = await pool.run(
          { ...task, started: port2 },
          { transferList: [port2], signal: stop.signal },
        );
        return { value, worked_ms: worked_ms() };
      } catch (error) {
        // the thread could not start: an internal error, not caused by the task
        if (begun_ms === null) throw error;
        return { value: null, worked_ms: worked_ms() };
      } finally {
        clearTimeout(clock);
        port1.close();
      }
    },
    close: async () => await pool.destroy(),
  };
}
