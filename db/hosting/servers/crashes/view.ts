import { z } from 'zod';
import { type CrashCause, crashRules } from './data/causes.ts';
import { crashLinks } from './rules.ts';

const causes = crashRules.map(({ cause }) => cause) as [CrashCause, ...CrashCause[]];

/** Something that may be wrong with a server. */
export const finding = z.strictObject({
  cause: z.enum(causes),
  /** What it is about, such as a mod or a version of Java; `''` when the log does not name it. */
  what: z.string(),
  /** The page of the panel that helps. */
  link: z.enum(crashLinks).nullable(),
  /** Where it was read: the path of a file and the number of its line in what was read; null is the console. */
  path: z.string().nullable(),
  line: z.int(),
  excerpt: z.string(),
});
export type Finding = z.output<typeof finding>;
