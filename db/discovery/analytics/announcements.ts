import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotAnnounced } from './rules.ts';
import type { Announcement, NewAnnouncement } from './shape.ts';

/** Announcements of one installation. */
const max_announcements = 500;

const columns = (db: Db) => db`id, title, announcement_url, for_metric_kind, starts, ends`;

/** What charts show beside their numbers, the latest first. Source: api-v3 §3.13. */
export const announcements = async (db: Db): Promise<Announcement[]> =>
  await db<Announcement[]>`
    select ${columns(db)} from analytics_events order by starts desc, id limit ${max_announcements}`;

/** Adds an announcement. Refuses `admins_only`, `analytics_event_dates`, `analytics_events_full`. Source: api-v3 §7. */
export async function announce(tx: Db, actor: Actor, input: NewAnnouncement): Promise<Announcement> {
  assertAdmin(actor);
  assertAllowed(whyNotAnnounced(input));
  // two at once would both find room for one
  await tx`select pg_advisory_xact_lock(hashtext('analytics.announcements'))`;
  const [{ count } = { count: 0 }] = await tx<
    Array<{ count: number }>
  >`select count(*) from analytics_events`;
  if (count >= max_announcements) throw new Refused('analytics_events_full', { most: max_announcements });
  const [row] = await tx<Announcement[]>`
    insert into analytics_events ${tx({ ...input, id: newId() })} returning ${columns(tx)}`;
  await record(tx, actor, row!.id, 'created');
  return row!;
}

/** Changes the given fields. Refuses like `announce`, and `not_found`. Source: api-v3 §7. */
export async function editAnnouncement(
  tx: Db,
  actor: Actor,
  id: string,
  edit: Partial<NewAnnouncement>,
): Promise<void> {
  assertAdmin(actor);
  const [row] = await tx<
    Announcement[]
  >`select ${columns(tx)} from analytics_events where id = ${id} for update`;
  if (!row) throw new Refused('not_found');
  const edited = {
    ...{ starts: new Date(row.starts), ends: row.ends === null ? null : new Date(row.ends) },
    ...edit,
  };
  assertAllowed(whyNotAnnounced(edited));
  await tx`update analytics_events set ${tx(edited)} where id = ${id}`;
  await record(tx, actor, id, 'edited');
}

/** Deletes an announcement. Refuses `admins_only`, `not_found`. Source: api-v3 §7. */
export async function deleteAnnouncement(tx: Db, actor: Actor, id: string): Promise<void> {
  assertAdmin(actor);
  const { count } = await tx`delete from analytics_events where id = ${id}`;
  if (count === 0) throw new Refused('not_found');
  await record(tx, actor, id, 'deleted');
}

const assertAdmin = (actor: Actor): void => assertAllowed(isAdmin(actor) ? null : 'admins_only');

const record = async (tx: Db, actor: Actor, id: string, change: 'created' | 'edited' | 'deleted') =>
  await recordEvent(tx, {
    name: 'announcement.changed',
    actor_id: actor.user_id,
    data: { announcement_id: id, change },
  });
