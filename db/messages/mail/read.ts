import type { Db } from '../../platform/postgres/sql.ts';
import type { Sealer } from '../../platform/secrets/seal.ts';
import { mailPurpose } from './queue.ts';
import type { MailData, MailTemplate } from './rules.ts';

/** A mail in the list of a demo. */
export interface StoredMail {
  id: string;
  template: MailTemplate;
  to_address: string;
  user_id: string | null;
  locale: string;
  created: string;
}

/** The newest mails of a demo, up to 100. */
export const storedMails = (db: Db): Promise<StoredMail[]> =>
  db<StoredMail[]>`
    select id, template, to_address, user_id, locale, created from mails order by created desc, id desc limit 100`;

/** A mail of a demo with its data; null when there is none of this id, or it cannot be opened anymore. */
export async function storedMail(
  db: Db,
  sealer: Sealer,
  id: string,
): Promise<(StoredMail & { data: MailData[MailTemplate] }) | null> {
  const [mail] = await db<Array<StoredMail & { data: string }>>`
    select id, template, to_address, user_id, locale, created, data from mails where id = ${id}`;
  const text = mail && sealer.open(mail.data, mailPurpose(id));
  return text ? { ...mail, data: JSON.parse(text) } : null;
}
