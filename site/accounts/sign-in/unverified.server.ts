import { emailOf } from '#db/accounts/account/email.ts';
import { mailMode } from '#db/messages/mail/queue.ts';
import type { Actor } from '#db/platform/people/rules.ts';

/** What `UnverifiedLine.astro` says of an address that has to be verified first. */
export interface Unverified {
  /** Null for an account without one. */
  email: string | null;
  /** Who verifies addresses by hand, where this site cannot mail a link. */
  by_hand: string | null;
}

/** The address of a user that has to be verified first; null once it is. */
export async function unverifiedOf(
  { services: { sql, settings } }: Pick<App.Locals, 'services'>,
  actor: Actor,
): Promise<Unverified | null> {
  if (actor.email_verified) return null;
  const { email } = await emailOf(sql, actor.user_id);
  const contact = settings.OPERATOR_CONTACT_TEXT ?? settings.SECURITY_CONTACT_TEXT;
  return { email, by_hand: mailMode(settings) === 'off' ? contact : null };
}
