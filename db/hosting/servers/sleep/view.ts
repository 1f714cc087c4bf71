import { z } from 'zod';

/** When a server sleeps, and what its owner may choose. */
export const sleepView = z.strictObject({
  after_minutes: z.int().nullable(),
  motd: z.string(),
  minutes_usual: z.int(),
  minutes_least: z.int(),
  minutes_most: z.int(),
  /** Whether its machine can do it; null before its server is on one. */
  supported: z.boolean().nullable(),
});
export type SleepView = z.output<typeof sleepView>;
