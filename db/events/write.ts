import type { Db } from '../sql.ts';

/** What an event is about; every id is optional, `data` holds what readers need besides (from, to, names). */
export interface Happening {
  name: EventName;
  actor_id?: string | null;
  user_id?: string | null;
  project_id?: string | null;
  version_id?: string | null;
  team_id?: string | null;
  organization_id?: string | null;
  data?: Record<string, unknown>;
}

/** Everything that can happen. A reader that must know all of them switches over this type. */
export const eventNames = [
  'user.created',
  'user.renamed',
  'user.edited',
  'project.created',
  'project.edited',
  'project.moved',
  'project.deleted',
  'project.counted',
  'version.published',
  'version.edited',
  'version.deleted',
  'team.changed',
  'organization.edited',
  'collection.created',
  'collection.edited',
  'collection.deleted',
  'catalogue.loaded',
] as const;
export type EventName = (typeof eventNames)[number];

/** Records what happened, in the caller's transaction; readers are woken by NOTIFY after its commit. */
export async function record(db: Db, event: Happening): Promise<void> {
  const {
    name,
    actor_id = null,
    user_id = null,
    project_id = null,
    version_id = null,
    team_id = null,
    organization_id = null,
    data = {},
  } = event;
  await db`insert into events ${db({ name, actor_id, user_id, project_id, version_id, team_id, organization_id, data: db.json(data as never) })}`;
}
