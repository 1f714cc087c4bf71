import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotHave } from '../rules.ts';
import { type ActivityKind, kindOfEvent, max_activity_page, patternsOf } from './rules.ts';
import type { ActivityEntry } from './view.ts';

interface ActivityFilter {
  server_id: string;
  /** Name of the person who did it. */
  person?: string | undefined;
  kind?: ActivityKind | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only entries older than this one. */
  before?: number | undefined;
  limit: number;
}

type Row = Omit<ActivityEntry, 'kind' | 'at' | 'by'> & {
  at: Date;
  actor_id: string | null;
  is_staff: boolean;
};

/**
 * What was done on a server, newest first, and where older entries begin, null at the end: from the audit log, which has
 * an event a moment after it. Refuses as `whyNotHave.people`.
 */
export async function serverActivity(
  db: Db,
  actor: Actor,
  { server_id, person, kind, since, until, before, limit }: ActivityFilter,
  now: Date,
): Promise<{ entries: ActivityEntry[]; next: number | null }> {
  const { facts } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.people);
  const most = Math.min(limit, max_activity_page);
  const members = (facts.members ?? []).map(({ user_id }) => user_id);
  const patterns = kind && patternsOf(kind);
  const rows = await db<Row[]>`
    select a.event_id as id, a.at, a.name, a.actor_id, u.username, m.username as member, a.data,
      coalesce(u.role in ('admin', 'moderator') and u.id <> ${facts.owner_id} and u.id <> all(${members}), false)
        as is_staff
    from audit_log a left join users u on u.id = a.actor_id left join users m on m.id = a.data->>'member_id'
    where a.subject_type = 'server' and a.subject_id = ${server_id} and a.name like 'server.%'
      ${patterns ? (patterns.not ? db`and not a.name like any(${patterns.like})` : db`and a.name like any(${patterns.like})`) : db``}
      ${person === undefined ? db`` : db`and u.username = ${person}::text::citext`}
      ${since ? db`and a.at >= ${since}` : db``}
      ${until ? db`and a.at < ${until}` : db``}
      ${before === undefined ? db`` : db`and a.event_id < ${before}`}
    order by a.event_id desc limit ${most + 1}`;
  const entries = rows.slice(0, most).map(({ actor_id, is_staff, username, at, ...row }): ActivityEntry => {
    const by = actor_id === null ? 'system' : is_staff ? 'staff' : 'person';
    return {
      ...row,
      at: new Date(at).toISOString(),
      ...{ kind: kindOfEvent(row.name), by, username: is_staff ? null : username },
    };
  });
  return { entries, next: rows.length > most ? (entries.at(-1)?.id ?? null) : null };
}
