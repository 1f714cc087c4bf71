import { changeEmail, resendVerification } from '#db/accounts/account/email.ts';
import { prepareReset, requestReset, resetPassword } from '#db/accounts/account/reset-password.ts';
import { askForNewsletter } from '#db/messages/mail/newsletter.ts';
import { isKnownNetwork } from '#db/platform/people/known-networks.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { accountForSignIn } from '#db/platform/people/write.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import type { AppServices } from '../../platform/context.ts';
import { countAttempt, tellingTaken } from './limits.server.ts';
import { mailLimits } from './mail-limits.server.ts';

/** What forms and API routes about addresses have in common: the limits, then the change. */

/** Mails a link that sets a new password. Gives the same, after the same work, for names that nobody has. */
export async function askForReset(
  services: AppServices,
  { username, address, now }: { username: string; address: string; now: Date },
): Promise<void> {
  const limits = mailLimits(services);
  const network = networkOf(address);
  countAttempt(limits['reset-network'], network, now);
  const user_id = (await accountForSignIn(services.sql, username))?.id ?? null;
  const account = user_id ?? hashToken(username.toLowerCase());
  // strangers share what they may ask for, and use up nothing of whoever signed in from this network before
  const isOwn = await isKnownNetwork(services.sql, user_id, network);
  countAttempt(limits['reset-account'], isOwn ? `${account} ${network}` : account, now);
  await services.sql.begin((tx) => requestReset(tx, services, { user_id, now }));
}

/** Sets a new password by a link. Refuses as `prepareReset`, and `rate_limited`. */
export async function resetByLink(
  services: AppServices,
  { flow, password, address, now }: { flow: string; password: string; address: string; now: Date },
): Promise<void> {
  countAttempt(mailLimits(services)['reset-link'], networkOf(address), now);
  const prepared = await prepareReset(services.sql, { flow, password, now });
  await services.sql.begin((tx) => resetPassword(tx, services, { ...prepared, now }));
}

/** Changes the address of the actor. Refuses as `changeEmail`, and `rate_limited`. */
export async function changeAddress(
  services: AppServices,
  { actor, email, address, now }: { actor: Actor; email: string; address: string; now: Date },
): Promise<void> {
  countAttempt(mailLimits(services)['verify-account'], actor.user_id, now);
  await tellingTaken(services, { email, address, now }, () =>
    services.sql.begin((tx) => changeEmail(tx, services, { actor, email, now })),
  );
}

/** Mails the link that verifies the actor’s address again. Refuses as `resendVerification`, and `rate_limited`. */
export async function sendLinkAgain(
  services: AppServices,
  { actor, redirect = null, now }: { actor: Actor; redirect?: string | null; now: Date },
): Promise<void> {
  countAttempt(mailLimits(services)['verify-account'], actor.user_id, now);
  await services.sql.begin((tx) => resendVerification(tx, services, { actor, redirect, now }));
}

/** Asks an address whether it wants the newsletter. Refuses as `askForNewsletter`, and `rate_limited`. */
export async function askAddress(
  services: AppServices,
  { email, locale, address, now }: { email: string; locale: string; address: string; now: Date },
): Promise<void> {
  const limits = mailLimits(services);
  countAttempt(limits['newsletter-network'], networkOf(address), now);
  countAttempt(limits['newsletter-address'], hashToken(email.toLowerCase()), now);
  await services.sql.begin((tx) => askForNewsletter(tx, services, { email, locale, now }));
}
