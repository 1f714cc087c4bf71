import { definitionOf } from '../../events/catalogue.ts';
import type { Event } from '../../events/read.ts';
import type { Db } from '../../sql.ts';

/** What a batch of events asks of the index. */
export interface Affected {
  /** Projects whose document must be made anew or taken out. */
  projects: Set<string>;
  /** Projects whose counters moved. */
  counted: Set<string>;
  /** A load did not say which projects it brought. */
  everything: boolean;
  /** The events looked at: the first of the batch, cut where it would become too much for one transaction. */
  events: Event[];
}

/** Projects one transaction takes on; an event that concerns more is still handled whole. */
const max_affected = 250;

const named = (event: Event, key: string): string[] => {
  const ids = (event.data as Record<string, unknown>)[key];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
};

/** Which projects the events concern, in at most three queries. Source: search §4 (Change); api-behaviours §11. */
export async function affectedBy(db: Db, batch: Event[]): Promise<Affected> {
  const found: Affected = { projects: new Set(), counted: new Set(), everything: false, events: [] };
  const users = new Set<string>();
  const teams = new Set<string>();
  const organizations = new Set<string>();
  const add = (to: Set<string>, ...ids: Array<string | null>) => {
    for (const id of ids) if (id) to.add(id);
  };
  for (const event of batch) {
    const { search, subject } = definitionOf(event.name);
    if (search === 'project') add(found.projects, event.project_id);
    if (search === 'counters') add(found.counted, event.project_id, ...named(event, 'project_ids'));
    if (search === 'owner') {
      if (subject === 'user') add(users, event.user_id);
      if (subject === 'team') add(teams, event.team_id);
      if (subject === 'organization') add(organizations, event.organization_id);
      // a team event of a project names it, one of an organization may not
      if (subject !== 'user') add(found.projects, event.project_id, ...named(event, 'project_ids'));
    }
    if (search === 'load') {
      const ids = named(event, 'project_ids');
      if (ids.length === 0) found.everything = true;
      add(found.projects, ...ids);
    }
    found.events.push(event);
    if (found.projects.size + found.counted.size >= max_affected) break;
  }
  if (users.size + teams.size + organizations.size > 0) {
    const rows = await db<{ id: string }[]>`
      with owned as (select team_id from team_members where is_owner and user_id = any(${[...users]}::text[])
        union select unnest(${[...teams]}::text[])),
      houses as (select id from organizations where id = any(${[...organizations]}::text[])
        or team_id in (select team_id from owned))
      select id from projects where team in (select team_id from owned) or organization in (select id from houses)`;
    add(found.projects, ...rows.map(({ id }) => id));
  }
  return found;
}
