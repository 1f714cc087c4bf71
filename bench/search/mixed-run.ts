import type { SearchEngine } from '#db/search/engine.ts';
import { cpuSeconds } from './cpu.ts';
import { type BenchQuery, kinds } from './query-mix.ts';
import { type Times, timesOf } from './timing.ts';

export type Asker = Pick<SearchEngine, 'search'>;

export interface Run {
  /** Milliseconds of each query, in order; shorter than the list when time ran out. */
  taken: number[];
  all: Times;
  byKind: Record<string, Times>;
  /** CPU milliseconds per query, including the client. */
  cpu_ms: number;
  partial: number;
}

interface Bounds {
  warm: number;
  /** Starts no query after this many seconds. */
  seconds: number;
  /** Processes of the engine besides this one. */
  pids?: () => number[];
}

/** Runs one query after the other; runs the last `warm` ones before as a warm-up. */
export async function ask(
  engine: Asker,
  questions: readonly BenchQuery[],
  { warm, seconds, pids = () => [] }: Bounds,
): Promise<Run> {
  for (const { query } of questions.slice(-warm)) await engine.search(query);
  const taken: number[] = [];
  let partial = 0;
  const before = cpuSeconds(pids());
  const began = performance.now();
  for (const { query } of questions) {
    const started = performance.now();
    const found = await engine.search(query);
    const ended = performance.now();
    taken.push(ended - started);
    if (found.partial) partial++;
    if (ended - began > seconds * 1000) break;
  }
  const cpu_ms = ((cpuSeconds(pids()) - before) * 1000) / taken.length;
  const of = (kind: string) => timesOf(taken.filter((_, i) => questions[i]?.kind === kind));
  return {
    taken,
    all: timesOf(taken),
    byKind: Object.fromEntries(kinds.map((kind) => [kind, of(kind)])),
    cpu_ms,
    partial,
  };
}
