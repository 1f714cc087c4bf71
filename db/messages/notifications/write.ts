import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { deliveries, isFixed, type NewNotification, type NotificationType } from './rules.ts';

/**
 * Where a notification of this type goes for the user of a row of `notification_choices c`, which may be missing: the
 * columns `on_site` and `mail` of `notifications`.
 */
export const deliveryColumns = (db: Db, type: NotificationType) => {
  const { site, mail } = deliveries[type];
  // what was chosen while it could be does not count
  if (isFixed(type)) return db`true as on_site, null::text as mail`;
  const on_site =
    site === 'chosen'
      ? db`coalesce(c.types -> ${type}::text ->> 'site', 'true') = 'true'`
      : db`${site === 'always'}::boolean`;
  return db`${on_site} as on_site, nullif(coalesce(c.types -> ${type}::text ->> 'mail', ${mail}), 'off') as mail`;
};

/**
 * Writes one notification for each of the users, in the caller's transaction, as far as they want it on the site or by
 * mail. `group_key`: notifications of a user with the same key are displayed as one group, such as the updates of one
 * project. `mail_after`: mails wait until then.
 */
export async function notify(
  tx: Db,
  user_ids: readonly string[],
  { type, body }: NewNotification,
  group_key: string | null = null,
  mail_after: Date | null = null,
): Promise<void> {
  if (user_ids.length === 0) return;
  const users = [...new Set(user_ids)];
  const ids = users.map(newId);
  await tx`
    insert into notifications (id, user_id, type, body, group_key, on_site, mail, mail_after)
    select id, user_id, ${type}, ${tx.json(body as never)}, ${group_key}, on_site, mail, ${mail_after}
    from (
      select n.id, n.user_id, ${deliveryColumns(tx, type)}
      from unnest(${ids}::text[], ${users}::text[]) as n (id, user_id)
      left join notification_choices c on c.user_id = n.user_id
    ) wanted
    where on_site or mail is not null`;
}
