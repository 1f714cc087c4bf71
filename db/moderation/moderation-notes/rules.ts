import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';

/** Notes are seen and written by moderators only. Source: api-v3 §3.7. */
export const whyNotWriteNote = (actor: Actor): RefusalCode | null =>
  isModerator(actor) ? null : 'moderators_only';

/**
 * An existing note is changed by whoever has read its last version: `expected` is the version of If-Match, null
 * without the header; `current` is null while there is no note. Source: api-v3 §3.7; api-behaviours §16.
 */
export function whyNotChangeNote(current: number | null, expected: number | null): RefusalCode | null {
  if (expected === null) return current === null ? null : 'note_version_missing';
  return expected === (current ?? 0) ? null : 'note_changed';
}
