import type { Db } from '../../platform/postgres/sql.ts';
import { holdVersion, releaseVersions } from '../holds/hold.ts';
import { tellTeam } from '../holds/tell-team.ts';
import type { Announcing } from './hold.ts';

/** An account with so many approved projects is known: a file of theirs that cannot be read stays public. */
const known_after_projects = 3;

interface Standing {
  version_number: string;
  is_held: boolean;
  /** Whether a file of it was not read whole, and nobody has looked at it. */
  is_unread: boolean;
  /** Approved projects that its author owns. */
  approved: number;
}

/**
 * Hides a version with a file that no scan could read whole until a person has looked at it, unless its author is known; releases it
 * when all of its files are read. What cannot be read is what malware would like to be. The project's row is locked by the caller.
 */
export async function settleUnread(
  tx: Db,
  { version_id, project_id }: { version_id: string; project_id: string },
  { announcing, now }: { announcing: Pick<Announcing, 'words'>; now: Date },
): Promise<void> {
  const [found] = await tx<Standing[]>`
    select v.version_number, 'unread' = any(v.held_for) as is_held,
      exists (select from file_scans s join files f on f.id = s.file_id
        where f.version_id = v.id and s.looked_at is null
          and (s.state = 'failed' or (s.state = 'done' and not s.complete))) as is_unread,
      (select count(*)::int from projects p join team_members m on m.team_id = p.team
        where m.user_id = v.author_id and m.is_owner and p.approved is not null and p.status = 'approved') as approved
    from versions v where v.id = ${version_id}`;
  if (!found) return;
  const { version_number, is_held, is_unread, approved } = found;
  if (!is_unread) {
    if (is_held)
      await releaseVersions(tx, { ids: [version_id], project_id }, { reason: 'unread', actor_id: null });
    return;
  }
  if (is_held || approved >= known_after_projects) return;
  await holdVersion(tx, { id: version_id, project_id }, { reason: 'unread', now });
  await tellTeam(tx, project_id, announcing.words.unread(version_number), now);
}

/**
 * A person looked at the files of a version that could not be read: it is public again, unless something else holds it. The
 * project's row is locked by the caller. Gives whether it was held for that.
 */
export async function releaseUnread(
  tx: Db,
  actor_id: string | null,
  { version_id, project_id }: { version_id: string; project_id: string },
  now: Date,
): Promise<boolean> {
  const [held] = await tx`
    select 1 from versions where id = ${version_id} and project_id = ${project_id} and 'unread' = any(held_for)`;
  if (!held) return false;
  await tx`
    update file_scans s set looked_at = ${now} from files f
    where f.id = s.file_id and f.version_id = ${version_id}`;
  await releaseVersions(tx, { ids: [version_id], project_id }, { reason: 'unread', actor_id });
  return true;
}
