import type { Db } from '../../platform/postgres/sql.ts';
import type { AuditEntry } from './read.ts';

/** What somebody calls a thing that an entry is about. */
export interface AuditName {
  type: string;
  id: string;
  name: string;
  /** The slug of the project that a version is of, of a project and of an organization; else null. */
  slug: string | null;
}

/** By what an entry calls a thing, such as `project:AABBCCDD`. */
export type AuditNames = ReadonlyMap<string, AuditName>;

/** The ids that entries contain: of what each is about, and of others in its data. */
function idsOf(entries: readonly AuditEntry[]): Record<string, string[]> {
  const found = new Set<string>();
  const add = (type: string, id: unknown) => {
    if (typeof id === 'string') found.add(`${type}:${id}`);
  };
  for (const { subject_type, subject_id, data } of entries) {
    add(subject_type, subject_id);
    for (const [key, value] of Object.entries(data)) if (key.endsWith('_id')) add(key.slice(0, -3), value);
    add('user', data.member_id);
  }
  const ids: Record<string, string[]> = {};
  for (const one of found) {
    const [type, id] = one.split(':') as [string, string];
    ids[type] = [...(ids[type] ?? []), id];
  }
  return ids;
}

/** The names of everything that these entries are about, in one query; what is gone has none. Checks no rule. */
export async function auditNames(db: Db, entries: readonly AuditEntry[]): Promise<AuditNames> {
  const ids = idsOf(entries);
  const of = (type: string) => ids[type] ?? [];
  const rows = await db<AuditName[]>`
    select 'user' as type, id, username::text as name, null as slug from users where id = any(${of('user')})
    union all select 'project', id, title, slug from projects where id = any(${of('project')})
    union all select 'version', v.id, v.name, p.slug from versions v join projects p on p.id = v.project_id
      where v.id = any(${of('version')})
    union all select 'organization', id, name, slug from organizations where id = any(${of('organization')})
    union all select 'team', p.team, p.title, p.slug from projects p where p.team = any(${of('team')})
    union all select 'team', o.team_id, o.name, o.slug from organizations o where o.team_id = any(${of('team')})
    union all select 'collection', id, name, null from collections where id = any(${of('collection')})
    union all select 'server', id, name, null from servers where id = any(${of('server')})
    union all select 'node', id, name, null from nodes where id = any(${of('node')})
    union all select 'notice', id, title, null from server_notices where id = any(${of('notice')})
    union all select 'report', r.id, coalesce(p.title, v.name, u.username::text), null from reports r
      left join projects p on p.id = r.project_id left join versions v on v.id = r.version_id
      left join users u on u.id = r.user_id
      where r.id = any(${of('report')}) and num_nonnulls(p.id, v.id, u.id) > 0
    limit 10000`;
  return new Map(rows.map((row) => [`${row.type}:${row.id}`, row]));
}

/** The ids of what is called so: people, projects, organizations, servers and nodes, or the id itself. Checks no rule. */
export async function auditSubjects(db: Db, text: string): Promise<string[]> {
  if (text.includes('\0') || !text.isWellFormed()) return [];
  const rows = await db<Array<{ id: string }>>`
    select id from users where username = ${text}::text::citext
    union select id from projects where slug = lower(${text}) or lower(title) = lower(${text})
    union select id from organizations where lower(slug) = lower(${text}) or lower(name) = lower(${text})
    union select id from servers where lower(name) = lower(${text})
    union select id from nodes where lower(name) = lower(${text})
    limit 1000`;
  return [text, ...rows.map(({ id }) => id)];
}
