import { setTimeout as wait } from 'node:timers/promises';
import type { EventConsumer } from '../events/consumer.ts';
import { repeatableConsumer } from '../events/from-now.ts';
import type { Event } from '../events/read.ts';
import { derivedId } from '../id.ts';
import type { Pool } from '../sql.ts';
import { isKindLoader } from '../tags/rules.ts';
import { deliveryColumns } from './write.ts';

/** Name of the event cursor of these notifications. */
const updatesCursor = 'project_updates';
/** Followers notified by one statement. */
const page = 250;
/** After each page it rests twice as long as the page took, at most this: many followers must not slow what others read. */
const max_rest_ms = 100;

type Published = Extract<Event, { name: 'version.published' }>;

/**
 * Notifies the followers of a project of its new listed versions, as long as the project is searchable and the version
 * listed. A project's followers may be many, so each page of them is a transaction of its own; the ids of the
 * notifications follow from version and user, so that a step that runs again writes nothing twice. Events before the
 * first start count as handled. Source: api-behaviours §5 (new version), §9.
 */
export function projectUpdatesConsumer(sql: Pool): EventConsumer {
  return repeatableConsumer(sql, updatesCursor, async (events) => {
    const published = events.filter(
      (event): event is Published => event.name === 'version.published' && event.data.status === 'listed',
    );
    await notifyOfVersions(sql, published);
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
  const body = { project_id, version_id: id };
  for (let after = ''; ; ) {
    const began = performance.now();
    const followers = await sql<Array<{ user_id: string; on_site: boolean; mail: string | null }>>`
      select * from (
        select f.user_id, ${deliveryColumns(sql, 'project_update')}
        from follows f left join notification_choices c on c.user_id = f.user_id
        where f.project_id = ${project_id} and f.user_id > ${after} and not f.muted
          and ${wants(sql, 'loaders', version.loaders, version.loaders.every(isKindLoader))} and ${wants(sql, 'game_versions', version.game_versions)}
      ) wanted
      where on_site or mail is not null order by user_id limit ${page}`;
    const last = followers.at(-1);
    if (!last) return;
    const ids = followers.map(({ user_id }) => derivedId(`project_update ${id} ${user_id}`));
    const column = (name: keyof typeof last) =>
      followers.map((follower) => follower[name]?.toString() ?? null);
    await sql`
      insert into notifications (id, user_id, type, body, group_key, created, on_site, mail)
      select n.id, n.user_id, 'project_update', ${sql.json(body)}, ${`project:${project_id}`}, ${at}::timestamptz,
        n.on_site, n.mail
      from unnest(${ids}::text[], ${column('user_id')}::text[], ${column('on_site')}::text[]::boolean[],
        ${column('mail')}::text[]) as n (id, user_id, on_site, mail)
      on conflict (id) do nothing`;
    if (followers.length < page) return;
    after = last.user_id;
    await wait(Math.min(2 * (performance.now() - began), max_rest_ms));
  }
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
