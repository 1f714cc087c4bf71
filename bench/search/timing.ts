/** Summary of query times, in milliseconds. */
export interface Times {
  questions: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** Summary of the times of some queries; all 0 without any. */
export function timesOf(taken: readonly number[]): Times {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { questions: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** `p50 0.41, p95 1.2, p99 2.4, max 9.6 ms` */
export const inWords = ({ p50, p95, p99, max }: Times): string =>
  `p50 ${short(p50)}, p95 ${short(p95)}, p99 ${short(p99)}, max ${short(max)} ms`;

/** Three significant digits. */
export const short = (value: number): number => Number(value.toPrecision(3));
