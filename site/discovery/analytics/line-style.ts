/** How the lines of a chart are told apart. Source: looks §5 (Chart scale). */
export interface LineStyle {
  /** The token of its color. */
  color: `--c${number}` | '--ink-3';
  /** Lengths of dashes and gaps in pixels; empty for a solid line. */
  dash: readonly number[];
}

const dashes: ReadonlyArray<readonly number[]> = [[], [7, 4], [2, 4], [12, 3, 2, 3], [4, 2], [1, 5]];

/** Lines of a chart beside the one of all others. Source: specification §9. */
export const most_lines = 15;

/** The style of the project at this place of its list: six colors, each with its own dash, then other pairs of the two. */
export const lineStyle = (place: number): LineStyle => ({
  color: `--c${(place % 6) + 1}`,
  dash: dashes[(place + Math.floor(place / 6)) % 6]!,
});

/** The style of everything that has no line of its own, and of the period before. */
export const otherStyle: LineStyle = { color: '--ink-3', dash: [3, 3] };
