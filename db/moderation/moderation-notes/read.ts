import type { Db } from '../../platform/postgres/sql.ts';
import type { ModerationNote } from './shape.ts';

/** Which of the two nouns a note is about. */
export type NoteSubject = 'user' | 'organization';

type NoteRow = ModerationNote & { about: string };

/** The notes about these users by user id; users without one are left out. For moderators only. */
export const notesOfUsers = (db: Db, ids: readonly string[]): Promise<Map<string, ModerationNote>> =>
  notesAbout(db, 'user', ids);

/** The notes about these organizations by id; organizations without one are left out. For moderators only. */
export const notesOfOrganizations = (db: Db, ids: readonly string[]): Promise<Map<string, ModerationNote>> =>
  notesAbout(db, 'organization', ids);

async function notesAbout(
  db: Db,
  subject: NoteSubject,
  ids: readonly string[],
): Promise<Map<string, ModerationNote>> {
  if (ids.length === 0) return new Map();
  const column = db(`${subject}_id`);
  const rows = await db<NoteRow[]>`
    select ${column} as about, notes, last_modified, created_at, last_author, user_rating, version
    from moderation_notes where ${column} = any(${ids as string[]})`;
  return new Map(rows.map(({ about, ...note }) => [about, note]));
}
