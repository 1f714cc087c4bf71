import { hiddenStatuses } from '../../../catalogue/projects/rules.ts';
import { listedStatuses } from '../../../catalogue/versions/rules.ts';
import { definitionOf } from '../../../platform/events/catalogue.ts';
import type { Event } from '../../../platform/events/read.ts';
import type { Db } from '../../../platform/postgres/sql.ts';

/** Effects of a batch of events on the index. */
export interface Affected {
  /** Projects whose document must be rebuilt or removed. */
  projects: Set<string>;
  /** Projects whose counters changed. */
  counted: Set<string>;
  /** A bulk load did not name its projects: the index must be rebuilt. */
  everything: boolean;
  /** The processed events: the first of the batch, cut where it would exceed one transaction. */
  events: Event[];
}

/** Maximum projects per transaction; an event that affects more is still handled as a whole. */
const max_affected = 250;

/** Maximum dependents that are reindexed when a project becomes hidden or visible. */
const max_dependents = 3_000;

const named = (event: Event, key: string): string[] => {
  const ids = (event.data as Record<string, unknown>)[key];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
};

/** Whether a project became hidden or visible. Also true for a deletion: the project may remain for staff. */
function changesVisibility({ data }: Event): boolean {
  const { from, to } = data as Record<string, unknown>;
  const isHidden = (status: unknown) => (hiddenStatuses as unknown[]).includes(status);
  return to === undefined || isHidden(from) !== isHidden(to);
}

/**
 * Whether no document of the owner's projects but those that the event names changed: other members of a team, another
 * description of an organization. An organization may own thousands of projects.
 */
function sparesOwned({ name, data }: Event): boolean {
  const { owner, fields, project_ids } = data as Record<string, unknown>;
  if (name === 'team.changed') return owner === false;
  if (name !== 'organization.edited') return false;
  return Array.isArray(project_ids) || (Array.isArray(fields) && !fields.includes('name'));
}

/** The searchable projects that depend on `project_id`, at most `max_dependents`: the most downloaded ones. */
async function dependentsOf(db: Db, project_id: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select p.id from projects p
    where p.status = 'approved' and p.id in (
      select v.project_id from dependencies d join versions v on v.id = d.version_id
      where d.project_id = ${project_id} and v.status = any(${listedStatuses as string[]}))
    order by p.downloads desc, p.id limit ${max_dependents}`;
  return rows.map(({ id }) => id);
}

/**
 * Projects affected by the events, in one query for the owners of all events and one per project that became hidden or
 * visible. Source: search §4 (Change); api-behaviours §11.
 */
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
    if (search === 'project' || search === 'dependents') add(found.projects, event.project_id);
    if (search === 'dependents' && event.project_id && changesVisibility(event))
      add(found.projects, ...(await dependentsOf(db, event.project_id)));
    if (search === 'counters') add(found.counted, event.project_id, ...named(event, 'project_ids'));
    if (search === 'owner') {
      const spares = sparesOwned(event);
      if (subject === 'user') add(users, event.user_id);
      if (subject === 'team' && !spares) add(teams, event.team_id);
      if (subject === 'organization' && !spares) add(organizations, event.organization_id);
      // a team event of a project names it, one of an organization may not
      if (subject === 'organization' || !spares)
        add(found.projects, event.project_id, ...named(event, 'project_ids'));
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
