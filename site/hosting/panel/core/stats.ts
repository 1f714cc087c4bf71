import type { PanelEvents } from '#control/protocol/browser.ts';

/** Statistics of a running server over the last minutes, and their graph. Pure. */
type Stats = Parameters<PanelEvents['stats']>[0];
export type Sample = Stats;

/** How much of the past is drawn, in milliseconds. */
const shown_ms = 60_000;
/** From this share of the limit on a value is shown as a warning. Source: looks §4 (Server panel). */
export const warn_share = 0.85;

/** `samples`, oldest first, and those of `more` that are not among them, of the last minute. */
export function withSamples(samples: readonly Sample[], more: readonly Sample[]): readonly Sample[] {
  const known = new Set(samples.map(({ at }) => at));
  const all = [...samples, ...more.filter(({ at }) => !known.has(at))].sort((a, b) => a.at - b.at);
  const newest = all.at(-1)?.at ?? 0;
  return all.filter(({ at }) => newest - at < shown_ms);
}

/** Share of the limit, 0 to 1; 0 without a limit. */
export const share = (used: number, limit: number): number =>
  limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0;

/** The value at the upper edge of the graph of the CPU: its peak, so that a small load is seen, at least 10%. */
export const cpuTop = (values: readonly number[]): number => Math.max(0.1, ...values);

/** A value to draw, 0 to 1, with its time. */
export interface Point {
  at: number;
  value: number;
}

/**
 * The SVG path of `points`, oldest first, in a graph of the last minute of `width` by `height`, the newest at the right
 * end and the value `top` at the upper edge; `area` closes it at the bottom. At least two points.
 */
export function profile(
  points: readonly Point[],
  width: number,
  height: number,
  top = 1,
): { line: string; area: string } {
  if (points.length < 2) return { line: '', area: '' };
  const newest = points.at(-1)!.at;
  const x = (at: number) => round(Math.max(0, width * (1 - (newest - at) / shown_ms)));
  const y = (value: number) => round((1 - Math.min(1, value / top)) * (height - 2) + 1);
  const line = points.map(({ at, value }, i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('');
  return { line, area: `${line}L${width} ${height}L${x(points[0]!.at)} ${height}Z` };
}
const round = (value: number) => Math.round(value * 10) / 10;
