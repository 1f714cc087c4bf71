import { fanOut, fanOutPage, type Recipient } from '../../messages/notifications/fan-out.ts';
import { notifyOfProjects } from '../../messages/notifications/new-projects.ts';
import { deliveryColumns } from '../../messages/notifications/write.ts';
import type { EventConsumer } from '../../platform/events/consumer.ts';
import { repeatableConsumer } from '../../platform/events/from-now.ts';
import type { Event } from '../../platform/events/read.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import { isKindLoader } from '../tags/rules.ts';

/** Name of the event cursor of these notifications. */
const updatesCursor = 'project_updates';

type Published = Extract<Event, { name: 'version.published' }>;

/**
 * Notifies the followers of a project of its new listed versions, as long as the project is searchable and the version
 * listed, and the followers of people of their new projects. Followers may be many, so each page of them is a transaction of its own; the ids of the
 * notifications follow from version or project and user, so that a step that runs again writes nothing twice. Events before the
 * first start count as handled. Source: api-behaviours §5 (new version), §9.
 */
export function projectUpdatesConsumer(sql: Pool): EventConsumer {
  return repeatableConsumer(sql, updatesCursor, async (events) => {
    const published = events.filter(
      (event): event is Published => event.name === 'version.published' && event.data.status === 'listed',
    );
    await notifyOfVersions(sql, published);
    await notifyOfProjects(sql, events);
  });
}

/** Notifies the followers of the versions that are public, once however often it is asked to. `created`: when each was published. */
export async function notifyOfVersions(
  sql: Pool,
  published: ReadonlyArray<Pick<Published, 'version_id' | 'created'>>,
): Promise<void> {
  for (const version of await stillPublic(sql, published)) await notifyFollowers(sql, version);
}

interface PublicVersion {
  id: string;
  project_id: string;
  /** Of the version and, for a pack, of what is in it. */
  loaders: string[];
  game_versions: string[];
  /** When it was published. */
  at: string;
}

async function stillPublic(
  sql: Pool,
  events: ReadonlyArray<Pick<Published, 'version_id' | 'created'>>,
): Promise<PublicVersion[]> {
  if (events.length === 0) return [];
  const at = new Map(events.map(({ version_id, created }) => [version_id, created]));
  const rows = await sql<Array<Omit<PublicVersion, 'at'>>>`
    select v.id, v.project_id, v.loaders || v.mrpack_loaders as loaders, v.game_versions
    from versions v join projects p on p.id = v.project_id
    where v.id = any(${[...at.keys()]}) and v.status = 'listed' and p.status = 'approved'`;
  return rows.map((row) => ({ ...row, at: at.get(row.id)! }));
}

/**
 * Followers that want to hear nothing of the project, or of versions for other loaders or game versions only, are left out, and so are those who want
 * updates neither on the site nor by mail. What a follower chose for the project comes before what they chose for all.
 */
async function notifyFollowers(sql: Pool, version: PublicVersion): Promise<void> {
  const { id, project_id, at } = version;
  const update = { type: 'project_update', body: { project_id, version_id: id } } as const;
  await fanOut(
    sql,
    { ...update, about: id, group_key: `project:${project_id}`, at },
    (after) => sql<Recipient[]>`
      select * from (
        select f.user_id, ${deliveryColumns(sql, 'project_update')}
        from follows f left join notification_choices c on c.user_id = f.user_id
        where f.project_id = ${project_id} and f.user_id > ${after} and not f.muted
          and ${wants(sql, 'loaders', version.loaders, version.loaders.every(isKindLoader))} and ${wants(sql, 'game_versions', version.game_versions)}
      ) wanted
      where on_site or mail is not null order by user_id limit ${fanOutPage}`,
  );
}

/** `own_only`: what a follower chose for all projects does not count, as a resource pack is for no loader. */
const wants = (
  sql: Pool,
  field: 'loaders' | 'game_versions',
  values: readonly string[],
  own_only = false,
) => {
  const chosen = own_only
    ? sql`coalesce(f.${sql(field)}, '{}')`
    : sql`coalesce(f.${sql(field)}, c.${sql(field)}, '{}')`;
  return sql`(cardinality(${chosen}) = 0 or ${chosen} && ${values as string[]}::text[])`;
};
