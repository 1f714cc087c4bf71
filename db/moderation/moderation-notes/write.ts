import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { NoteSubject } from './read.ts';
import { whyNotChangeNote, whyNotWriteNote } from './rules.ts';
import type { NoteEdit } from './shape.ts';

/** Whom or what a note is about. */
export interface About {
  subject: NoteSubject;
  id: string;
}

/**
 * Writes the note about a user or an organization; absent fields stay. `expected` is the version that the moderator
 * read, null for none. Refuses `not_found`, `moderators_only`, `note_version_missing` (428), `note_changed` (412).
 * Source: api-v3 §3.7.
 */
export async function writeNote(
  tx: Db,
  actor: Actor,
  { subject, id }: About,
  { change, expected, now }: { change: NoteEdit; expected: number | null; now: Date },
): Promise<void> {
  assertAllowed(whyNotWriteNote(actor));
  const column = tx(`${subject}_id`);
  // the subject is locked, because a first note has no row to lock
  const [found] = await tx`select 1 from ${tx(`${subject}s`)} where id = ${id} for no key update`;
  if (!found) throw new Refused('not_found', { id });
  const [note] = await tx<Array<{ version: number }>>`
    select version from moderation_notes where ${column} = ${id}`;
  const current = note?.version ?? null;
  assertAllowed(whyNotChangeNote(current, expected), { version: current ?? 0 });
  const { notes, user_rating } = change;
  const columns = {
    ...(notes == null ? {} : { notes }),
    ...(user_rating == null ? {} : { user_rating }),
    last_author: actor.user_id,
    last_modified: now,
  };
  if (note)
    await tx`update moderation_notes set ${tx(columns)}, version = version + 1 where ${column} = ${id}`;
  else await tx`insert into moderation_notes ${tx({ [`${subject}_id`]: id, ...columns, created_at: now })}`;
  const actor_id = actor.user_id;
  if (subject === 'user') await recordEvent(tx, { name: 'user.noted', actor_id, user_id: id });
  else await recordEvent(tx, { name: 'organization.noted', actor_id, organization_id: id });
}
