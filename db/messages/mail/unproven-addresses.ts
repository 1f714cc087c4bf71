import { networkHasher } from '../../platform/files/network-hash.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { MailTemplate } from './rules.ts';

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
export async function mayGetMail(
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
