import { z } from 'zod';
import { figureNames, figureRangeIds } from './rules.ts';

/** One value for each step; null is a gap: the server was off, or its node away. */
const series = z.array(z.number().nullable());

/** What a server used over time, for charts. */
export const figuresView = z.strictObject({
  range: z.enum(figureRangeIds),
  /** The beginning of the first step. */
  from: z.string(),
  step_s: z.int(),
  series: z.strictObject(
    Object.fromEntries(figureNames.map((name) => [name, series])) as Record<
      (typeof figureNames)[number],
      typeof series
    >,
  ),
  /** What it may use: per cent of one core, megabytes. */
  limits: z.strictObject({ cpu: z.number(), ram_mb: z.number(), disk_mb: z.number() }),
});
export type FiguresView = z.output<typeof figuresView>;
