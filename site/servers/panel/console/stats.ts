import type { PanelEvents } from '#control/protocol/browser.ts';

/** Statistics of a running server over the last minutes, and their graph. Pure. */
type Stats = Parameters<PanelEvents['stats']>[0];
export type Sample = Stats;

export const max_samples = 60;
/** From this share of the limit on a value is shown as a warning. Source: looks §4 (Server panel). */
export const warn_share = 0.85;

/** `samples`, oldest first, with a newer one appended; one that is not newer changes nothing. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && sample.at <= last.at) return samples;
  return [...samples, sample].slice(-max_samples);
}

/** Share of the limit, 0 to 1; 0 without a limit. */
export const share = (used: number, limit: number): number =>
  limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 0;

/**
 * The SVG path of `values` (0 to 1, oldest first) in a graph of `width` by `height`, the newest at the right end;
 * `area` closes it at the bottom. At least two points.
 */
export function profile(
  values: readonly number[],
  width: number,
  height: number,
): { line: string; area: string } {
  if (values.length < 2) return { line: '', area: '' };
  const step = width / (max_samples - 1);
  const left = width - step * (values.length - 1);
  const line = values
    .map(
      (value, i) =>
        `${i === 0 ? 'M' : 'L'}${round(left + i * step)} ${round((1 - value) * (height - 2) + 1)}`,
    )
    .join('');
  return { line, area: `${line}L${width} ${height}L${round(left)} ${height}Z` };
}
const round = (value: number) => Math.round(value * 10) / 10;
