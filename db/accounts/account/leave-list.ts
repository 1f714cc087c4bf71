import { leaveNewsletter } from '../../messages/mail/newsletter.ts';
import type { Leaving } from '../../messages/mail/unsubscribe.ts';
import { stopNotificationMails } from '../../messages/notifications/choices.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Ends what the link of a mail says: nothing of that list is mailed to its recipient anymore. The link of a mail to an
 * address that its user left changes nothing for the new one.
 */
export async function leaveList(tx: Db, { list, email, user_id }: Leaving): Promise<void> {
  if (list === 'newsletter') return await leaveNewsletter(tx, { email, user_id });
  const [owner] = await tx<Array<{ id: string }>>`
    select id from users where id = ${user_id} and email = ${email}::text::citext`;
  if (owner) await stopNotificationMails(tx, owner.id);
}
