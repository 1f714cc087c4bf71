import { Refused } from '../errors.ts';
import type { AsideTask } from './aside-worker.ts';
import { ConcurrencyLimiter } from './concurrency.ts';
import { type TimedPool, timedPool } from './timed-pool.ts';

const threads = 2;
/** Enough for the largest input of any job, several times. */
const memory_mb = 192;

const turns = new ConcurrencyLimiter({ max_running: threads, max_waiting: 40, timeout_ms: 30_000 });
let pool: TimedPool<AsideTask, { result: unknown }> | undefined;

interface Job {
  /** The module that has the function; a thread loads it, the process that everybody shares does not need to. */
  module: URL;
  /** The name of its export: a function of one plain value. */
  name: string;
  /** How long it may take, in milliseconds: several times what it takes for the largest honest input. */
  limit_ms: number;
}

/**
 * A function that works beside the thread that everybody shares: for what reads or computes over data of one person, of any
 * length and made by anybody. It works within its time and 192 MiB, in turns with what others ask for. Two threads a process,
 * which begin with the first job and end after a minute without one. Refuses `busy` as `ConcurrencyLimiter` does, and
 * `reading_stopped` when the job took too long or too much memory.
 */
export const aside =
  <Input, Output>({ module, name, limit_ms }: Job): ((input: Input) => Promise<Output>) =>
  (input) =>
    turns.run(async () => {
      pool ??= timedPool({ filename: new URL('./aside-worker.ts', import.meta.url), threads, memory_mb });
      const { value } = await pool.run({ module: module.href, name, input }, limit_ms);
      if (!value) throw new Refused('reading_stopped');
      return value.result as Output;
    });
