import { z } from 'zod';
import { verifyEmail } from '#db/accounts/account/email.ts';
import { isSubscribed, subscribeUser } from '#db/messages/mail/newsletter.ts';
import { askForReset, changeAddress, sendLinkAgain } from '../../accounts/sign-in/address-steps.server.ts';
import { assertHuman } from '../../accounts/sign-in/captcha.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'accounts';
const text = z.string().max(1024);

/** Addresses and forgotten passwords for programs, below /v2/auth and /_internal/auth alike. Source: api-v3 §4. */
export function emailRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'patch',
    path: '/auth/email',
    summary: 'Change your email address',
    tag,
    needs: ['USER_AUTH_WRITE'],
    empty_status: 200,
    body: z.object({ email: text }),
    async handle({ services, actor, body: { email }, address, now }) {
      await changeAddress(services, { actor, email, address, now });
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/email/resend_verify',
    summary: 'Mail the link that verifies your address again',
    tag,
    needs: ['USER_AUTH_WRITE'],
    async handle({ services, actor, now }) {
      await sendLinkAgain(services, { actor, now });
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/email/verify',
    summary: 'Verify an address by the flow of the mailed link',
    tag,
    body: z.object({ flow: text }),
    async handle({ body: { flow }, now, begin }) {
      await begin((tx) => verifyEmail(tx, { flow, now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/auth/email/subscribe',
    summary: 'Whether you get the newsletter',
    tag,
    needs: ['USER_READ'],
    answer: z.object({ subscribed: z.boolean() }),
    handle: async ({ sql, actor }) => ({ subscribed: await isSubscribed(sql, actor.user_id) }),
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/email/subscribe',
    summary: 'Get the newsletter; an address that isn’t verified is asked first',
    tag,
    needs: ['USER_AUTH_WRITE'],
    async handle({ services, actor: { user_id }, now, begin }) {
      await begin((tx) => subscribeUser(tx, services, { user_id, now }));
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/password/reset',
    summary: 'Mail a link that sets a new password; the answer is the same whether the account exists',
    tag,
    empty_status: 200,
    body: z.object({ username: text.min(1), challenge: z.string().max(8192).nullish() }),
    async handle({ services, body: { username, challenge }, address, now }) {
      await assertHuman(services, challenge ?? undefined);
      await askForReset(services, { username, address, now });
      return undefined;
    },
  });
}
