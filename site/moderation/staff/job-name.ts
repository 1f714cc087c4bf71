import type { MessageKey } from '#content/keys.ts';
import { messageKeys, type Translate } from '#content/messages.ts';

const known: ReadonlySet<string> = new Set(messageKeys);

/** What a job does, in words; those of other versions have none. */
export function jobName(t: Translate, name: string): string {
  const key = `staff.job_${name}`;
  return t((known.has(key) ? key : 'staff.job_other') as MessageKey);
}
