import { z } from 'zod';

/** How a server is started, and what its owner may choose. */
export const startupView = z.strictObject({
  java: z.int().nullable(),
  java_default: z.int(),
  /** Versions that fit its game version. */
  java_choices: z.array(z.int()),
  heap_mb: z.int().nullable(),
  heap_default_mb: z.int(),
  heap_least_mb: z.int(),
  heap_most_mb: z.int(),
  jvm_flags: z.array(z.string()),
  /** Flags that are allowed; `<n>` stands for a number. */
  flags_allowed: z.array(z.string()),
  /** The command line with what is stored. */
  command: z.string(),
});
export type StartupView = z.output<typeof startupView>;
