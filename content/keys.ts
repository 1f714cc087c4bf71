import type { RefusalCode } from '#db/errors.ts';
import type format from './locales/en-US/format.json';
import type problem from './locales/en-US/problem.json';
import type shell from './locales/en-US/shell.json';
import type tags from './locales/en-US/tags.json';

type Keys<File> = Extract<keyof File, `${string}.${string}`>;

export type MessageKey =
  | Keys<typeof format>
  | Keys<typeof problem>
  | Keys<typeof shell>
  | Keys<typeof tags>
  | `error.${RefusalCode}`;
