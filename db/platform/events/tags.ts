import type pg from 'pg';
import { definitionOf } from './catalogue.ts';
import type { IdColumn } from './define.ts';
import type { Event } from './read.ts';

const max_projects = 20_000;
/** Id columns of subjects that pages show; each has a cache tag. */
const taggedColumns = ['project_id', 'user_id', 'organization_id', 'version_id', 'collection_id'] as const;

/**
 * Cache tags of everything that shows the subjects of the events, in lower case: `project:`, `user:`, `organization:`,
 * `collection:`, `version:` with the id, and with the current and former slugs. A change of a user, team or
 * organization also invalidates their projects, because pages name them. Counters invalidate nothing, since counters
 * may be stale for a while.
 */
export async function tagsOf(client: pg.Client, allEvents: readonly Event[]): Promise<string[]> {
  const events = allEvents.filter(({ name }) => {
    const { pages, lists } = definitionOf(name);
    return pages && lists !== 'counters';
  });
  const ids = (column: IdColumn) => [...new Set(events.flatMap((event) => event[column] ?? []))];
  const ownTags = events.flatMap((event) => [
    ...taggedColumns.flatMap((column) =>
      event[column] ? [`${column.replace('_id', '')}:${event[column]}`] : [],
    ),
    ...definitionOf(event.name).tags(event.data),
  ]);
  const groups = [ids('project_id'), ids('user_id'), ids('organization_id'), ids('team_id')];
  const { rows } = groups.some((group) => group.length > 0)
    ? await client.query<{ tag: string }>(relatedTags, groups)
    : { rows: [] };
  return [...new Set([...ownTags, ...rows.map(({ tag }) => tag)].map((tag) => tag.toLowerCase()))];
}

const relatedTags = `
  with related as (
    select id, slug from projects
    where id = any($1) or organization = any($3) or team = any($4)
      or team in (select team_id from team_members where user_id = any($2))
      or organization in (
        select o.id from organizations o left join team_members m on m.team_id = o.team_id
        where o.team_id = any($4) or m.user_id = any($2))
    limit ${max_projects}
  )
  select 'project:' || id as tag from related
  union all select 'project:' || slug from related
  union all select 'project:' || o.slug from old_slugs o join related on related.id = o.project_id
  union all select 'user:' || username from users where id = any($2)
  union all select 'organization:' || unnest(array[id, slug]) from organizations where id = any($3) or team_id = any($4)`;
