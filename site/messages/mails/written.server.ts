import { type RenderedMail, renderMail } from '#content/mails/render.ts';
import { mailSamples } from '#content/mails/samples.ts';
import { mailSite } from '#db/messages/mail/queue.ts';
import { type StoredMail, storedMail } from '#db/messages/mail/read.ts';
import { listOf, type MailTemplate } from '#db/messages/mail/rules.ts';
import { unsubscribePath, unsubscribeToken } from '#db/messages/mail/unsubscribe.ts';
import type { AppServices } from '../../platform/context.ts';

type MailServices = Pick<AppServices, 'settings' | 'sealer' | 'sql'>;

/** A mail of a demo as its recipient gets it; null when there is none of this id. */
export async function loadStoredMail(
  { settings, sealer, sql }: MailServices,
  id: string,
): Promise<(StoredMail & RenderedMail) | null> {
  const mail = /^[0-9A-Za-z]{1,16}$/.test(id) ? await storedMail(sql, sealer, id) : null;
  if (!mail) return null;
  const { data, ...stored } = mail;
  const list = listOf[mail.template];
  const token = list && unsubscribeToken(sealer, { list, email: mail.to_address, user_id: mail.user_id });
  const written = renderMail(mail.template, data, {
    locale: mail.locale,
    site: mailSite(settings),
    unsubscribe: token && unsubscribePath(token),
  });
  return { ...stored, ...written };
}

/** A mail with sample data. Its link to unsubscribe leads nowhere. */
export const sampleMail = (
  { settings }: Pick<AppServices, 'settings'>,
  template: MailTemplate,
  locale: string,
): RenderedMail =>
  renderMail(template, mailSamples[template], {
    locale,
    site: mailSite(settings),
    unsubscribe: listOf[template] && unsubscribePath('sample'),
  });
