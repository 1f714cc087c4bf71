import type { SearchEngine } from '#db/discovery/search/engine.ts';
import { cpuSeconds } from './cpu.ts';
import { type BenchQuery, kinds } from './query-mix.ts';
import { type Times, timesOf } from './timing.ts';

export type Asker = Pick<SearchEngine, 'search' | 'count'>;

export interface Run {
  /** Milliseconds of each query, in order; shorter than the list when time ran out. */
  taken: number[];
  all: Times;
  byKind: Record<string, Times>;
  /** CPU milliseconds per query, including the client. */
  cpu_ms: number;
  partial: number;
  /** Milliseconds of the counts that were asked for beside the queries. */
  counts: Times;
}

interface Bounds {
  warm: number;
  /** Starts no query after this many seconds. */
  seconds: number;
  /** Processes of the engine besides this one. */
  pids?: () => number[];
  /** Also asks for the counts of each page with filters, at the same time as for its hits. */
  withCounts?: boolean;
}

/** Runs one page after the other; runs the last `warm` ones before as a warm-up. */
export async function ask(
  engine: Asker,
  questions: readonly BenchQuery[],
  { warm, seconds, pids = () => [], withCounts = false }: Bounds,
): Promise<Run> {
  const count = async ({ counts }: BenchQuery) => {
    if (withCounts && counts.groups.length > 0) await engine.count(counts);
  };
  for (const page of questions.slice(-warm)) await Promise.all([engine.search(page.query), count(page)]);
  const taken: number[] = [];
  const counted: number[] = [];
  let partial = 0;
  const before = cpuSeconds(pids());
  const began = performance.now();
  for (const page of questions) {
    const started = performance.now();
    const searching = engine.search(page.query);
    const counting = count(page).then(() => performance.now() - started);
    const found = await searching;
    const ended = performance.now();
    taken.push(ended - started);
    if (found.partial) partial++;
    const took = await counting;
    if (withCounts && page.counts.groups.length > 0) counted.push(took);
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
    counts: timesOf(counted),
  };
}
