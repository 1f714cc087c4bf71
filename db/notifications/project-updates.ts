import type { EventConsumer } from '../events/consumer.ts';
import { cursorOf, type Event, eventsAfter, latestCursor, saveCursor } from '../events/read.ts';
import { derivedId } from '../id.ts';
import type { Pool } from '../sql.ts';

/** Name of the event cursor of these notifications. */
const updatesCursor = 'project_updates';
/** Followers notified by one statement. */
const page = 1000;

type Published = Extract<Event, { name: 'version.published' }>;

/**
 * Notifies the followers of a project of its new listed versions, as long as the project is searchable and the version
 * listed. A project's followers may be many, so each page of them is a transaction of its own; the ids of the
 * notifications follow from version and user, so that a step that runs again writes nothing twice. Events before the
 * first start count as handled. Source: api-behaviours §5 (new version), §9.
 */
export function projectUpdatesConsumer(sql: Pool): EventConsumer {
  return {
    name: updatesCursor,
    async step() {
      const cursor = await cursorOf(sql, updatesCursor);
      if (!cursor) {
        await saveCursor(sql, updatesCursor, await latestCursor(sql));
        return 0;
      }
      const events = await eventsAfter(sql, cursor);
      const last = events.at(-1);
      if (!last) return 0;
      const published = events.filter(
        (event): event is Published => event.name === 'version.published' && event.data.status === 'listed',
      );
      for (const version of await stillPublic(sql, published)) await notifyFollowers(sql, version);
      await saveCursor(sql, updatesCursor, last);
      return events.length;
    },
  };
}

interface PublicVersion {
  id: string;
  project_id: string;
  /** When it was published. */
  at: string;
}

async function stillPublic(sql: Pool, events: readonly Published[]): Promise<PublicVersion[]> {
  if (events.length === 0) return [];
  const at = new Map(events.map(({ version_id, created }) => [version_id, created]));
  const rows = await sql<Array<Omit<PublicVersion, 'at'>>>`
    select v.id, v.project_id from versions v join projects p on p.id = v.project_id
    where v.id = any(${[...at.keys()]}) and v.status = 'listed' and p.status = 'approved'`;
  return rows.map((row) => ({ ...row, at: at.get(row.id)! }));
}

async function notifyFollowers(sql: Pool, { id, project_id, at }: PublicVersion): Promise<void> {
  const body = { project_id, version_id: id };
  for (let after = ''; ; ) {
    const followers = await sql<Array<{ user_id: string }>>`
      select user_id from follows where project_id = ${project_id} and user_id > ${after}
      order by user_id limit ${page}`;
    const users = followers.map(({ user_id }) => user_id);
    const last = users.at(-1);
    if (last === undefined) return;
    const ids = users.map((user_id) => derivedId(`project_update ${id} ${user_id}`));
    await sql`
      insert into notifications (id, user_id, type, body, group_key, created)
      select n.id, n.user_id, 'project_update', ${sql.json(body)}, ${`project:${project_id}`}, ${at}::timestamptz
      from unnest(${ids}::text[], ${users}::text[]) as n (id, user_id)
      on conflict (id) do nothing`;
    after = last;
  }
}
