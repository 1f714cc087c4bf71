import type pg from 'pg';
import type { Event } from './read.ts';

const most = 20_000;

/**
 * The tags of everything that shows what the events are about, in lower case: `project:`, `user:`, `organization:`,
 * `collection:`, `version:` with the id and with the addresses the thing has or had. A change of people or organizations touches their
 * projects too, because pages name them. Counted downloads touch nothing: figures may be old for a while.
 */
export async function touched(client: pg.Client, happened: readonly Event[]): Promise<string[]> {
  const events = happened.filter(({ name }) => name !== 'project.counted');
  const ids = (key: 'project_id' | 'user_id' | 'organization_id' | 'team_id') => [
    ...new Set(events.flatMap((event) => event[key] ?? [])),
  ];
  const named = events.flatMap(({ project_id, user_id, organization_id, version_id, data }) => [
    ...(project_id ? [`project:${project_id}`] : []),
    ...(user_id ? [`user:${user_id}`] : []),
    ...(organization_id ? [`organization:${organization_id}`] : []),
    ...(version_id ? [`version:${version_id}`] : []),
    ...strings([data.collection_id]).map((id) => `collection:${id}`),
    ...strings([data.owner_id]).map((id) => `user:${id}`),
    // ids and addresses that only the event still knows
    ...strings(data.project_ids).map((id) => `project:${id}`),
    ...[data.slug, data.old_slug, data.username, data.old_username].flatMap((text) =>
      typeof text !== 'string'
        ? []
        : [`${project_id ? 'project' : organization_id ? 'organization' : 'user'}:${text}`],
    ),
  ]);
  const projects = ids('project_id');
  const found = await client.query<{ tag: string }>(query, [
    projects,
    ids('user_id'),
    ids('organization_id'),
    ids('team_id'),
  ]);
  return [...new Set([...named, ...found.rows.map(({ tag }) => tag)].map((tag) => tag.toLowerCase()))];
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const query = `
  with shown as (
    select id, slug from projects
    where id = any($1) or organization = any($3) or team = any($4)
      or team in (select team_id from team_members where user_id = any($2))
      or organization in (
        select o.id from organizations o left join team_members m on m.team_id = o.team_id
        where o.team_id = any($4) or m.user_id = any($2))
    limit ${most}
  )
  select 'project:' || id as tag from shown
  union all select 'project:' || slug from shown
  union all select 'project:' || o.slug from old_slugs o join shown on shown.id = o.project_id
  union all select 'user:' || username from users where id = any($2)
  union all select 'organization:' || unnest(array[id, slug]) from organizations where id = any($3) or team_id = any($4)`;
