import { z } from 'zod';
import { boundedText, idShape } from '../shape.ts';

/** The body of POST /analytics/view. Source: api-v2 §14. */
export const viewShape = z.object({ url: boundedText(1, 2048) }).meta({ id: 'View' });

/** Maximum versions in one report of playtime. */
const max_entries = 2000;

/** The body of POST /analytics/playtime: by version how long it was played. Source: api-v2 §14. */
export const playtimeShape = z
  .record(
    idShape,
    z.object({
      seconds: z.int().min(0).max(65_535),
      loader: boundedText(1, 64),
      game_version: boundedText(1, 64),
      /** The version of the modpack that contains it. */
      parent: idShape.nullish(),
    }),
  )
  .refine(
    (entries) => Object.keys(entries).length <= max_entries,
    `must name at most ${max_entries} versions`,
  )
  .meta({ id: 'Playtime' });
export type Playtime = z.output<typeof playtimeShape>;
