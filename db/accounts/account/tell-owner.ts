import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { storedForms } from '../../platform/people/email-address.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Mails to the owner of an address that somebody signed up with it, or wanted it for another account. Counted with what
 * unverified addresses get in a day, whoever causes it: strangers ask for it.
 */
export async function tellOwner(
  tx: Db,
  mailing: Mailing,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  const [owner] = await tx<Array<{ id: string; username: string; email: string }>>`
    select id, username, email from users where email = any(${storedForms(email)}::text[]::citext[]) limit 1`;
  if (!owner) return;
  await queueMail(tx, mailing, {
    template: 'sign_up_attempted',
    ...{ to: owner.email, is_proven: false, user_id: owner.id, data: { username: owner.username }, now },
  });
}
