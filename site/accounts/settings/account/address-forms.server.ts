import { z } from 'zod';
import { verifyEmail } from '#db/accounts/account/email.ts';
import { assertAllAllowed } from '#db/platform/assert-all-allowed.ts';
import type { AppServices } from '../../../platform/context.ts';
import { defineForm } from '../../../platform/forms/form-definition.ts';
import { localPath } from '../../../platform/http/local-path.ts';
import { resend_path } from '../../../platform/layouts/resend-path.ts';
import { formRoute, withQuery } from '../../../platform/route/form.ts';
import type { Api } from '../../../platform/route/types.ts';
import {
  askForReset,
  changeAddress,
  resetByLink,
  sendLinkAgain,
} from '../../sign-in/address-steps.server.ts';

const text = z.string().max(1024);
const too_many = { text: 'email.too_many' } as const;

export const changeEmailForm = defineForm({
  action: '/_internal/account/email',
  shape: z.object({ email: text.min(1) }),
  fields: ['email'],
  errors: {
    email_malformed: 'email',
    email_taken: 'email',
    email_same: 'email',
    rate_limited: too_many,
  },
});

export const resendForm = defineForm({
  action: resend_path,
  shape: z.object({ redirect: text.optional() }),
  fields: [],
  errors: { rate_limited: too_many },
});

export const verifyEmailForm = defineForm({
  action: '/_internal/account/email/verify',
  shape: z.object({ flow: text, redirect: text.optional() }),
  fields: [],
  errors: {},
});

export const requestResetForm = defineForm({
  action: '/_internal/account/password/request-reset',
  shape: z.object({ username: text.min(1) }),
  fields: ['username'],
  errors: { rate_limited: too_many },
});

export const resetPasswordForm = defineForm({
  action: '/_internal/account/password/reset',
  shape: z.object({ flow: text, password: text, confirm_password: text }),
  fields: ['password', 'confirm_password'],
  errors: {
    password_length: 'password',
    password_weak: 'password',
    password_breached: 'password',
    passwords_differ: 'confirm_password',
    rate_limited: too_many,
  },
});

/** The path of the page that sets a new password by a link. */
const resetPath = (flow: unknown): string =>
  typeof flow === 'string' ? `/auth/reset-password?flow=${encodeURIComponent(flow)}` : '/auth/reset-password';

/** The path of ours that somebody goes on at once their address is verified; null without one. */
const backTo = ({ settings }: AppServices, redirect: unknown): string | null =>
  typeof redirect === 'string' ? localPath(redirect, settings.SITE_URL) : null;

/** The path of the page about an address that is not verified yet, which leads on to `redirect`. */
function verifyPath(services: AppServices, redirect: unknown): string {
  const to = backTo(services, redirect);
  return to === null ? '/auth/verify-email' : withQuery('/auth/verify-email', { redirect: to });
}

/** The forms about the address of an account and a forgotten password. */
export function addressFormRoutes(api: Api, services: AppServices): void {
  const { sql } = services;
  formRoute(api, changeEmailForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/settings/account',
    async run({ c, actor, fields: { email }, now }) {
      await changeAddress(services, { actor, email: email.trim(), address: c.get('address'), now });
      return { to: '/settings/account?changed=email' };
    },
  });

  formRoute(api, resendForm, {
    needs: ['USER_AUTH_WRITE'],
    page: ({ redirect }) => verifyPath(services, redirect),
    async run({ actor, fields: { redirect }, now }) {
      await sendLinkAgain(services, { actor, redirect: backTo(services, redirect), now });
      return { to: withQuery(verifyPath(services, redirect), { sent: '1' }) };
    },
  });

  formRoute(api, verifyEmailForm, {
    needs: 'anyone',
    page: ({ redirect }) => verifyPath(services, redirect),
    elsewhere: (code) => code === 'flow_invalid',
    async run({ fields: { flow, redirect }, now }) {
      await sql.begin((tx) => verifyEmail(tx, { flow, now }));
      return { to: withQuery(verifyPath(services, redirect), { done: '1' }) };
    },
  });

  formRoute(api, requestResetForm, {
    needs: 'anyone',
    page: '/auth/reset-password',
    async run({ c, fields: { username }, now }) {
      await askForReset(services, { username: username.trim(), address: c.get('address'), now });
      return { to: '/auth/reset-password?sent=1' };
    },
  });

  formRoute(api, resetPasswordForm, {
    needs: 'anyone',
    page: ({ flow }, code) => resetPath(code === 'reset_link_invalid' ? null : flow),
    elsewhere: (code) => code === 'reset_link_invalid',
    async run({ c, fields: { flow, password, confirm_password }, now }) {
      assertAllAllowed([password === confirm_password ? null : 'passwords_differ']);
      await resetByLink(services, { flow, password, address: c.get('address'), now });
      return { to: '/auth/reset-password?done=1' };
    },
  });
}
