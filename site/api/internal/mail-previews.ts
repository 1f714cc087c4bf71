import type { Context } from 'hono';
import { mailMode } from '#db/messages/mail/queue.ts';
import { type MailTemplate, mailTemplates, whyNotPreviewMails } from '#db/messages/mail/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { loadStoredMail, sampleMail } from '../../messages/mails/written.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { errorResponse } from '../../platform/route/error-response.ts';
import { authorize } from '../../platform/route/guard.ts';
import type { Api, ApiEnv } from '../../platform/route/types.ts';

/** A mail stands in a frame of its own: it runs nothing, loads nothing, and its links open outside of the frame. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
};
const page = (c: Context<ApiEnv>, html: string) => c.body(html, 200, headers);

/** The HTML of mails, for the frames of `/dev/mail` and `/admin/emails`. */
export function mailPreviewRoutes(api: Api, services: AppServices): void {
  api.get('/mail/stored/:id', async (c) => {
    try {
      const mail =
        mailMode(services.settings) === 'demo' ? await loadStoredMail(services, c.req.param('id')) : null;
      if (!mail) throw new Refused('not_found');
      return page(c, mail.html);
    } catch (error) {
      return errorResponse(c, error, { create_errors: false });
    }
  });

  api.get('/mail/sample/:template', async (c) => {
    try {
      await authorize(c, { scopes: ['SESSION_ACCESS'], rule: whyNotPreviewMails }, services.now());
      const template = c.req.param('template') as MailTemplate;
      if (!mailTemplates.includes(template)) throw new Refused('not_found');
      const { html } = sampleMail(services, template, c.req.query('locale') ?? 'en-US');
      // the frame has the theme that was asked for, not that of the browser
      const dark = c.req.query('theme') === 'dark';
      return page(
        c,
        html.replace('@media (prefers-color-scheme: dark)', `@media ${dark ? 'all' : 'not all'}`),
      );
    } catch (error) {
      return errorResponse(c, error, { create_errors: false });
    }
  });
}
