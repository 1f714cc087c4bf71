import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';

/** A lock with the moderator who holds it; live or run out. */
export interface HeldLock {
  project_id: string;
  moderator_id: string;
  username: string;
  avatar_url: string | null;
  locked_at: Date;
  expires_at: Date;
}

/** The lock of a project, also one that ran out; null without one. */
export async function lockOf({ sql, settings }: ReadContext, project_id: string): Promise<HeldLock | null> {
  const [row] = await sql<Array<Omit<HeldLock, 'avatar_url'> & { avatar_key: string | null }>>`
    select l.project_id, l.moderator_id, u.username, u.avatar_key, l.locked_at, l.expires_at
    from review_locks l join users u on u.id = l.moderator_id where l.project_id = ${project_id}`;
  if (!row) return null;
  const { avatar_key, ...lock } = row;
  return {
    ...lock,
    locked_at: new Date(lock.locked_at),
    expires_at: new Date(lock.expires_at),
    avatar_url: mediaUrlOrNull(settings, avatar_key),
  };
}

/** The lock of a project, which nobody takes or ends before the commit; null without one. */
export async function lockForUpdate(
  tx: Db,
  project_id: string,
): Promise<{ moderator_id: string; username: string; expires_at: Date } | null> {
  const [row] = await tx<Array<{ moderator_id: string; username: string; expires_at: string }>>`
    select l.moderator_id, u.username, l.expires_at from review_locks l join users u on u.id = l.moderator_id
    where l.project_id = ${project_id} for update of l`;
  return row ? { ...row, expires_at: new Date(row.expires_at) } : null;
}
