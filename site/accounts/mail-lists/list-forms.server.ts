import { z } from 'zod';
import { leaveList } from '#db/accounts/account/leave-list.ts';
import { confirmNewsletter } from '#db/messages/mail/newsletter.ts';
import { readUnsubscribeToken, unsubscribePath } from '#db/messages/mail/unsubscribe.ts';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { pageLocale } from '../../platform/http/page-locale.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { askAddress } from '../sign-in/address-steps.server.ts';

const text = z.string().max(4096);

export const newsletterForm = defineForm({
  action: '/_internal/newsletter',
  shape: z.object({ email: text.min(1), hl: text.optional() }),
  fields: ['email'],
  errors: { email_malformed: 'email', rate_limited: { text: 'email.too_many' } },
});

export const confirmNewsletterForm = defineForm({
  action: '/_internal/newsletter/confirm',
  shape: z.object({ flow: text }),
  fields: [],
  errors: {},
});

export const unsubscribeForm = defineForm({
  action: '/_internal/mail/leave',
  shape: z.object({ token: text }),
  fields: [],
  errors: {},
});

/** The forms of the newsletter, and leaving a list by its link or by one click in the mail program. */
export function mailListRoutes(api: Api, services: AppServices): void {
  const { sql, sealer } = services;
  formRoute(api, newsletterForm, {
    needs: 'anyone',
    page: '/newsletter',
    async run({ c, fields: { email, hl }, now }) {
      await askAddress(services, {
        email: email.trim(),
        locale: pageLocale(c.req.raw, { hl }),
        address: c.get('address'),
        now,
      });
      return { to: '/newsletter?sent=1' };
    },
  });

  formRoute(api, confirmNewsletterForm, {
    needs: 'anyone',
    page: '/newsletter/confirm',
    elsewhere: (code) => code === 'flow_invalid',
    async run({ fields: { flow }, now }) {
      await sql.begin((tx) => confirmNewsletter(tx, { flow, now }));
      return { to: '/newsletter/confirm?done=1' };
    },
  });

  const leave = async (token: string) => {
    const leaving = readUnsubscribeToken(sealer, token);
    if (!leaving) throw new Refused('flow_invalid');
    await sql.begin((tx) => leaveList(tx, leaving));
  };

  formRoute(api, unsubscribeForm, {
    needs: 'anyone',
    page: '/unsubscribe',
    elsewhere: (code) => code === 'flow_invalid',
    async run({ fields: { token } }) {
      await leave(token);
      return { to: '/unsubscribe?done=1' };
    },
  });

  // mail programs post here without cookies and from nowhere (RFC 8058); the token alone says who leaves what
  const one_click = '/mail/unsubscribe';
  api.post(one_click, async (c) => {
    const token = c.req.query('token') ?? '';
    if (!readUnsubscribeToken(sealer, token)) return c.json({ error: 'flow_invalid' }, 400);
    await leave(token);
    return c.body(null, 200);
  });
  api.get(one_click, (c) => {
    const token = c.req.query('token') ?? '';
    return c.redirect(unsubscribePath(encodeURIComponent(token)), 303);
  });
}
