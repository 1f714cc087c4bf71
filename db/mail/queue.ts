import { newId } from '../id.ts';
import { isOpen, type Settings } from '../runtime/env.ts';
import type { Sealer } from '../secrets/seal.ts';
import type { Db } from '../sql.ts';
import type { MailData, MailTemplate } from './rules.ts';

/** How this site sends mail: by a mail server, only to the page `/dev/mail` of a demo on this machine, or not at all. */
export type MailMode = 'smtp' | 'demo' | 'off';

/** Mails of a demo hold links that open accounts, so they are never shown where others reach the site. */
export function mailMode(settings: Settings): MailMode {
  if (settings.SMTP_URL) return 'smtp';
  return isOpen(settings) ? 'off' : 'demo';
}

/** What queueing a mail needs of the process. */
export interface Mailing {
  settings: Settings;
  sealer: Sealer;
}

export type NewMail = {
  [T in MailTemplate]: {
    template: T;
    /** The address, or null for that of the user. */
    to: string | null;
    user_id: string | null;
    data: MailData[T];
    /** The language of the text; that of the user's preferences by default. */
    locale?: string;
    now: Date;
  };
}[MailTemplate];

/** What the data of a mail is sealed for. */
export const mailPurpose = (id: string): string => `mail:${id}`;

/**
 * Queues a mail in the caller's transaction: it is sent if and only if that commits. Does nothing when this site cannot
 * send mail, or the user has no address.
 */
export async function queueMail(tx: Db, { settings, sealer }: Mailing, mail: NewMail): Promise<void> {
  if (mailMode(settings) === 'off') return;
  const { template, user_id, now } = mail;
  const [user] = await tx<Array<{ email: string | null; locale: string | null }>>`
    select u.email, p.data -> 'localization' ->> 'locale' as locale
    from users u left join user_preferences p on p.user_id = u.id where u.id = ${user_id}`;
  const to_address = mail.to ?? user?.email ?? null;
  if (to_address === null) return;
  const id = newId();
  const locale = mail.locale ?? user?.locale ?? 'en-US';
  const data = sealer.seal(JSON.stringify(mail.data), mailPurpose(id));
  await tx`insert into mails ${tx({ id, template, to_address, user_id, locale, data, due: now, created: now })}`;
}
