import { type Times, timesOf } from './search/timing.ts';

export interface OpenLoop {
  per_second: number;
  /** Minimum duration; continues while `goOn` says so, ten minutes at most. */
  least_s: number;
  goOn?: () => boolean;
}

export interface Answered extends Times {
  failed: number;
}

const most_s = 600;

/**
 * Open-loop load: sends `items` one after the other, again and again, at a steady rate whether responses come or not,
 * and measures each from its scheduled time, so that a stalled server cannot hide its latency (coordinated omission).
 */
export async function openLoop<Item>(
  send: (item: Item) => Promise<unknown>,
  items: readonly Item[],
  { per_second, least_s, goOn = () => false }: OpenLoop,
): Promise<Answered> {
  const taken: number[] = [];
  const running: Array<Promise<void>> = [];
  let failed = 0;
  const began = performance.now();
  for (let n = 0; n < most_s * per_second; n++) {
    if (n >= least_s * per_second && !goOn()) break;
    const due = began + (n * 1000) / per_second;
    const early = due - performance.now();
    if (early > 0) await new Promise((done) => setTimeout(done, early));
    running.push(
      send(items[n % items.length] as Item).then(
        () => void taken.push(performance.now() - due),
        () => void failed++,
      ),
    );
  }
  await Promise.all(running);
  return { ...timesOf(taken), failed };
}
