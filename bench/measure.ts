import autocannon from 'autocannon';
import { type Row, ratioAtLeast } from './report.ts';

export interface Load {
  url: string;
  seconds?: number;
  connections?: number;
  headers?: Record<string, string>;
  /** A body makes it a POST. */
  body?: string;
}

interface Measured {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  bytes_per_second: number;
  /** Why requests failed, and how many: empty when none did. */
  failed: string;
}

/** Seconds after which a request has failed: on a busy machine sixteen downloads at once take longer than the usual ten. */
const timeout = 60;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** How long `work` takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Load on one URL: `connections` keep-alive clients for `seconds`. */
async function load({ url, seconds = 6, connections = 16, headers = {}, body }: Load): Promise<Measured> {
  const result = await autocannon({
    url,
    duration: seconds,
    connections,
    timeout,
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  return {
    per_second: result.requests.average,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
    bytes_per_second: result.throughput.average,
    failed: Object.entries({
      'were refused': result.non2xx,
      'timed out': result.timeouts,
      'lost their connection': result.errors - result.timeouts,
    })
      .flatMap(([why, count]) => (count > 0 ? [`${count} requests ${why}`] : []))
      .join(', '),
  };
}

/** Measures product and baseline in turns, twice, so that other load affects both; the better round of each counts. */
export async function compare(name: string, target: number, ours: Load, baseline: Load): Promise<Row> {
  const rounds = { ours: [] as Measured[], baseline: [] as Measured[] };
  for (let round = 0; round < 2; round++) {
    rounds.baseline.push(await load(baseline));
    rounds.ours.push(await load(ours));
  }
  const best = (list: Measured[]) => list.reduce((a, b) => (b.per_second > a.per_second ? b : a));
  const [a, b] = [best(rounds.ours), best(rounds.baseline)];
  if (a.failed !== '') throw new Error(`${name}: ${a.failed}`);
  if (b.failed !== '') throw new Error(`${name}, bare server: ${b.failed}`);
  const ratio = a.per_second / b.per_second;
  return ratioAtLeast(target, { name, ratio, ours: describe(a), baseline: describe(b) });
}

const describe = ({ per_second, p50_ms, p99_ms, bytes_per_second }: Measured): string =>
  `${per_second.toFixed(0)}/s, p50 ${p50_ms} ms, p99 ${p99_ms} ms, ${(bytes_per_second / 1e6).toFixed(0)} MB/s`;
