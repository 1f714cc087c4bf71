import type { Db } from '../../platform/postgres/sql.ts';
import type { NoticeForStaff, NoticeView } from './view.ts';

/** Maximum number of notices shown at once. */
const max_notices = 50;

interface NoticeScope extends NoticeView {
  server_id: string;
}

/** Whether a notice `t` applies to the server and node of `j`; one without targets applies to all. */
const isTargeted = (db: Db) => db`
  (not exists (select 1 from server_notice_targets t where t.notice_id = n.id)
    or exists (select 1 from server_notice_targets t
      where t.notice_id = n.id and (t.server_id = j.server_id or t.node_id = j.node_id)))`;

const noticesOf = (db: Db) =>
  db`n.id, n.level, n.title, n.message, n.url, n.dismissable, n.begins, n.expires`;

/** Active notices by server that this user has not dismissed; most severe and newest first. */
export async function noticesFor(
  db: Db,
  user_id: string,
  servers: ReadonlyArray<{ id: string; node_id: string | null }>,
  now: Date,
): Promise<Map<string, NoticeView[]>> {
  const requested = servers.map(({ id, node_id }) => ({ server_id: id, node_id }));
  const rows = await db<NoticeScope[]>`
    select j.server_id, ${noticesOf(db)}
    from jsonb_to_recordset(${db.json(requested)}) as j (server_id text, node_id text)
    cross join lateral (
      select n.* from server_notices n
      where n.begins <= ${now} and (n.expires is null or n.expires > ${now}) and ${isTargeted(db)}
        and not exists (select 1 from server_notice_dismissals d where d.notice_id = n.id and d.user_id = ${user_id})
      order by array_position(array['critical', 'warn', 'survey', 'info'], n.level), n.begins desc, n.id
      limit ${max_notices}) n`;
  const found = new Map<string, NoticeView[]>();
  for (const { server_id, ...notice } of rows)
    found.set(server_id, [...(found.get(server_id) ?? []), notice]);
  return found;
}

/** When the next notice starts or ends after `now`, or null. */
export async function nextNotice(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db<{ at: string | null }[]>`
    select min(at) as at from (
      select begins as at from server_notices where begins > ${now}
      union all select expires from server_notices where expires > ${now}) moments`;
  return row?.at ? new Date(row.at) : null;
}

/** All notices as staff see them, newest first; `offset` for paging. */
export async function listNotices(db: Db, { limit = 50, offset = 0 } = {}): Promise<NoticeForStaff[]> {
  return await db<NoticeForStaff[]>`
    select ${noticesOf(db)}, n.created,
      (select count(*)::int from server_notice_dismissals d where d.notice_id = n.id) as dismissed,
      coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('node_id', t.node_id, 'server_id', t.server_id)))
        from server_notice_targets t where t.notice_id = n.id), '[]') as targets
    from server_notices n order by n.begins desc, n.id limit ${Math.min(limit, 200)} offset ${offset}`;
}
