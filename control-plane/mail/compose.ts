import parseAddresses from 'nodemailer/lib/addressparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { renderMail } from '#content/mails/render.ts';
import type { AppContext } from '#db/context.ts';
import type { OutgoingMail } from '#db/messages/mail/outbox.ts';
import { mailPurpose, mailSite } from '#db/messages/mail/queue.ts';
import { listOf, type MailData } from '#db/messages/mail/rules.ts';
import { unsubscribePath, unsubscribeToken } from '#db/messages/mail/unsubscribe.ts';

/** A mail as it goes to the mail server. */
export interface ComposedMail {
  envelope: { from: string; to: string };
  message: Buffer;
}

/**
 * Unseals and writes a mail. The recipient's address is never parsed, so that it stays one address whatever is in it. Throws
 * when the data cannot be opened, because the key is another one.
 */
export async function composeMail(
  { settings, sealer }: Pick<AppContext, 'settings' | 'sealer'>,
  mail: OutgoingMail,
  now: Date,
): Promise<ComposedMail> {
  const sealed = sealer.open(mail.data, mailPurpose(mail.id));
  if (sealed === null) throw new Error('The data of the mail cannot be opened with this key');
  const data = JSON.parse(sealed) as MailData[typeof mail.template];
  const list = listOf[mail.template];
  const { to_address: email, user_id } = mail;
  const token = list && unsubscribeToken(sealer, { list, email, user_id });
  const { subject, html, text } = renderMail(mail.template, data, {
    locale: mail.locale,
    site: mailSite(settings),
    unsubscribe: token && unsubscribePath(token),
  });
  const from = senderOf(settings.MAIL_FROM);
  const composer = new MailComposer({
    from,
    to: { name: '', address: email },
    subject: subject.replace(/[\p{Cc}\s]+/gu, ' '),
    date: now,
    // the same at every attempt: a mailbox keeps one of two that arrive
    messageId: `<${mail.id}@${from.address.split('@').at(-1)}>`,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(token && unsubscribeHeaders(settings.SITE_URL, token)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  return { envelope: { from: from.address, to: email }, message };
}

function senderOf(text: string): { name: string; address: string } {
  const [sender] = parseAddresses(text, { flatten: true });
  return { name: sender?.name ?? '', address: sender?.address ?? text };
}

/** One click in the mail program ends a subscription. Source: RFC 8058. */
const unsubscribeHeaders = (site_url: string, token: string) => ({
  'List-Unsubscribe': `<${site_url}/_internal/mail/unsubscribe?token=${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
