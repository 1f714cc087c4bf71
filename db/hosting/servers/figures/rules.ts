/** Rules for what game servers used over time. */

/** What is kept of a server, in the order in which it is packed. */
export const figureNames = [
  'cpu',
  'cpu_most',
  'ram_mb',
  'disk_mb',
  'received',
  'sent',
  'tick_ms',
  'players',
] as const;
export type FigureName = (typeof figureNames)[number];
/** One point: null is not known. */
export type Figures = Record<FigureName, number | null>;

/** Hours that minutes are kept, and days that everything longer is. */
export const retention = { minutes_h: 24, hours_d: 30 } as const;

/** How far back charts go, and how many seconds a point of them is. */
export const figureRanges = {
  day: { back_s: 86_400, step_s: 60 },
  week: { back_s: 7 * 86_400, step_s: 600 },
  month: { back_s: 30 * 86_400, step_s: 3_600 },
} as const;
export type FigureRange = keyof typeof figureRanges;
export const figureRangeIds = Object.keys(figureRanges) as FigureRange[];

/** Partition of `server_minutes` that a moment belongs to: milliseconds since 1970 in, 0 to 2 out. */
export const minuteSlot = (ms: number): number => Math.floor(ms / 86_400_000) % 3;

/** The mean of values that are known, or null; for players the highest one. */
export function joinFigures(points: readonly Figures[]): Figures {
  const joined = figureNames.map((name) => {
    const known = points.map((point) => point[name]).filter((value) => value !== null);
    if (known.length === 0) return [name, null];
    const most = name === 'players' || name === 'cpu_most';
    return [name, most ? Math.max(...known) : known.reduce((sum, value) => sum + value, 0) / known.length];
  });
  return Object.fromEntries(joined) as Figures;
}
