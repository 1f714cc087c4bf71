import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { accessTo } from '../teams/access.ts';
import { isMember } from '../teams/rules.ts';
import type { DisclosureType, LockStatus } from './rules.ts';
import type { Disclosure } from './shape.ts';

interface Row {
  type: DisclosureType;
  data: Record<string, unknown>;
  set_by_moderator: boolean;
  lock_status: LockStatus;
  updated_at: string;
  updated_by: string | null;
  deleted_at: string | null;
}

/**
 * The disclosures of a project that the actor may see: members and moderators also see removed ones, and who changed
 * them. `archived` follows the project. The caller checks whether the project is visible. Source: api-v3 §2.7.
 */
export async function disclosuresOf(db: Db, project_id: string, actor: Actor | null): Promise<Disclosure[]> {
  const rows = await db<Row[]>`
    select d.type, d.data, d.set_by_moderator, d.lock_status, d.updated_at, d.updated_by,
      case when d.type <> 'archived' then d.deleted_at
        when p.archived then null else coalesce(d.deleted_at, d.updated_at) end as deleted_at
    from disclosures d join projects p on p.id = d.project_id where d.project_id = ${project_id}
    union all
    select 'archived', '{"note": null}', false, 'unlocked', p.updated, null, null from projects p
    where p.id = ${project_id} and p.archived
      and not exists (select 1 from disclosures d where d.project_id = p.id and d.type = 'archived')
    order by type`;
  const inside = isModerator(actor) || isMember(await accessTo(db, project_id, actor));
  return rows.flatMap(({ type, data, updated_at, ...internal }) => {
    if (!inside && internal.deleted_at !== null) return [];
    return [{ ...data, type, updated_at, ...(inside ? internal : {}) }];
  });
}
