import { networkHasher } from '../../platform/files/network-hash.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { isOpen, type Settings } from '../../platform/runtime/env.ts';
import type { Sealer } from '../../platform/secrets/seal.ts';
import { listOf, type MailData, type MailTemplate } from './rules.ts';

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
    /** Whether somebody has shown that `to` is theirs, or the operator named it; that of the user is known. */
    is_proven?: boolean;
    user_id: string | null;
    data: MailData[T];
    /** The language of the text; that of the user's preferences by default. */
    locale?: string;
    now: Date;
  };
}[MailTemplate];

/** What the data of a mail is sealed for. */
export const mailPurpose = (id: string): string => `mail:${id}`;

/** The site as its mails name it: its address, where its operator reads messages, and where support is reached. */
export const mailSite = ({
  SITE_URL,
  OPERATOR_CONTACT_TEXT,
  SECURITY_CONTACT_TEXT,
  SUPPORT_TEXT,
}: Settings): { url: string; contact: string; support: string | null } => ({
  url: SITE_URL,
  contact: OPERATOR_CONTACT_TEXT ?? SECURITY_CONTACT_TEXT,
  support: SUPPORT_TEXT ?? null,
});

interface Recipient {
  email: string | null;
  email_verified: boolean;
  locale: string | null;
}

/**
 * Queues a mail in the caller's transaction: it is sent if and only if that commits. Does nothing when this site cannot
 * send mail, or the user has no address; mails of a list go to verified addresses only, and to one that nobody has shown to
 * be theirs only what `mayGetMail` lets through: strangers would make this site write to it. In a demo the mail counts as
 * sent at once: it lies where `/dev/mail` shows it.
 */
export async function queueMail(tx: Db, { settings, sealer }: Mailing, mail: NewMail): Promise<void> {
  const mode = mailMode(settings);
  if (mode === 'off') return;
  const { template, user_id, now } = mail;
  const [user] = await tx<Recipient[]>`
    select u.email, u.email_verified, p.data -> 'localization' ->> 'locale' as locale
    from users u left join user_preferences p on p.user_id = u.id where u.id = ${user_id}`;
  const to_address = mail.to ?? user?.email ?? null;
  if (to_address === null || (listOf[template] !== null && !user?.email_verified)) return;
  const is_own = user?.email_verified && to_address.toLowerCase() === user.email?.toLowerCase();
  const is_proven = mail.is_proven ?? is_own;
  if (!is_proven && !(await mayGetMail(tx, { template, address: to_address, now }))) return;
  const id = newId();
  const locale = mail.locale ?? user?.locale ?? 'en-US';
  const data = sealer.seal(JSON.stringify(mail.data), mailPurpose(id));
  const state = mode === 'demo' ? { state: 'sent', sent: now } : { state: 'waiting', sent: null };
  await tx`
    insert into mails ${tx({ id, template, to_address, user_id, locale, data, ...state, due: now, created: now })}`;
}

/** Mails that ask whose an address is, or that its owner asked for: an address that nobody verified gets no others. */
const askingMails: ReadonlySet<MailTemplate> = new Set([
  'verify_email',
  'reset_password',
  'newsletter_confirm',
  'sign_up_attempted',
]);

/** How many mails an unproven address gets in a day (UTC), of all kinds together and whoever asks for them. */
const mails_per_day = 3;

/**
 * Whether an address that nobody has shown to be theirs may get a mail of this kind now; counts it. Only a keyed hash of
 * address and day is stored; rows of earlier days are deleted. The count goes back with the caller's transaction.
 */
async function mayGetMail(
  tx: Db,
  { template, address, now }: { template: MailTemplate; address: string; now: Date },
): Promise<boolean> {
  if (!askingMails.has(template)) return false;
  const day = now.toISOString().slice(0, 10);
  const hash = (await networkHasher(tx, 'mail'))(`${day} ${address.toLowerCase()}`);
  await tx`delete from unproven_addresses where day < ${day}::date`;
  const counted = await tx`
    insert into unproven_addresses as u (day, address, mails) values (${day}, ${hash}, 1)
    on conflict (day, address) do update set mails = u.mails + 1 where u.mails < ${mails_per_day}
    returning 1`;
  return counted.length > 0;
}
