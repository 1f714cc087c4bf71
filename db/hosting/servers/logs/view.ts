import { z } from 'zod';

/** A shared log as those see it who may share logs of its server. */
export const sharedLogView = z.strictObject({
  id: z.string(),
  /** Path of its file; `''` is the console. */
  name: z.string(),
  /** Its page on the site: `/logs/ID`. */
  path: z.string(),
  bytes: z.int(),
  /** Who shared it; null when they are gone. */
  by: z.string().nullable(),
  /** Whether who asks may remove it. */
  removable: z.boolean(),
  created: z.string(),
  expires: z.string(),
});
export type SharedLogView = z.output<typeof sharedLogView>;
