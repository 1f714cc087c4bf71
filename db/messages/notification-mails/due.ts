import type { Role } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { MailTime, NotificationType } from '../notifications/rules.ts';
import { stale_days } from './rules.ts';

type Time = Exclude<MailTime, 'off'>;

/** A notification that goes out by mail. */
export interface MailedNotification {
  id: string;
  type: NotificationType;
  body: Record<string, unknown>;
  group_key: string | null;
}

/** Who gets a mail. */
export interface Recipient {
  user_id: string;
  username: string;
  role: Role;
  locale: string | null;
}

/** Users after `after` with something to be mailed, in the order of their ids. */
export async function usersDue(
  db: Db,
  { time, before, now, after, limit }: { time: Time; before: Date; now: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await db<Array<{ user_id: string }>>`
    select distinct user_id from notifications
    where mail = ${time} and created < ${before} and (mail_after is null or mail_after <= ${now})
      and user_id > ${after} order by user_id limit ${limit}`;
  return rows.map(({ user_id }) => user_id);
}

/** Maximum notifications of one mail, and so of one step of its making. */
const max_taken = 5_000;

/**
 * Takes what is due to a user: from the commit on it waits no more, whoever else asks meanwhile gets nothing of it, and
 * without the commit it waits as before. Gives the newest first, without what was read on the site or is too old; nothing
 * for users whose address is missing, unverified or refused by its mail server.
 */
export async function takeDue(
  tx: Db,
  user_id: string,
  { time, before, now }: { time: Time; before: Date; now: Date },
): Promise<{ recipient: Recipient; notifications: MailedNotification[] } | null> {
  const stale = new Date(now.getTime() - stale_days * 86_400_000);
  const rows = await tx<Array<MailedNotification & { on_site: boolean; wanted: boolean; created: string }>>`
    with due as (
      select id from notifications where user_id = ${user_id} and mail = ${time} and created < ${before}
        and (mail_after is null or mail_after <= ${now})
      order by created desc, id limit ${max_taken} for update skip locked
    )
    update notifications n set mail = null from due where n.id = due.id
    returning n.id, n.type, n.body, n.group_key, n.on_site, not n.read and n.created > ${stale} as wanted,
      n.created`;
  rows.sort((a, b) => Date.parse(b.created) - Date.parse(a.created)); // an update keeps no order
  if (rows.length === 0) return null;
  const onlyMailed = rows.filter(({ on_site }) => !on_site).map(({ id }) => id);
  await tx`delete from notifications where id = any(${onlyMailed})`;
  const [recipient] = await tx<Recipient[]>`
    select u.id as user_id, u.username, u.role, p.data -> 'localization' ->> 'locale' as locale
    from users u left join user_preferences p on p.user_id = u.id
    where u.id = ${user_id} and u.email is not null and u.email_verified and u.email_refused is null`;
  const notifications = rows
    .filter(({ wanted }) => wanted)
    .map(({ id, type, body, group_key }) => ({ id, type, body, group_key }));
  return recipient && notifications.length > 0 ? { recipient, notifications } : null;
}
