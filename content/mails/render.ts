import { render } from '@react-email/render';
import { listOf, type MailData, type MailTemplate } from '#db/messages/mail/rules.ts';
import { markEnglish } from '../mark-english.ts';
import { englishTexts } from '../messages.ts';
import { accountMails } from './account-mails.ts';
import type { Block, MailSite, MailText, Writing } from './blocks.ts';
import { creatorMails } from './creator-mails.ts';
import { mailLayout } from './layout.ts';
import { moneyMails } from './money-mails.ts';
import { plainText } from './plain-text.ts';
import { serverMails } from './server-mails.ts';
import { updateMails } from './update-mails.ts';
import { writingOf } from './writing.ts';

export type { MailSite } from './blocks.ts';

const templates: { [T in MailTemplate]: (w: Writing, data: MailData[T]) => MailText } = {
  ...accountMails,
  ...updateMails,
  ...serverMails,
  ...moneyMails,
  ...creatorMails,
};

/** A mail ready to be sent. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/**
 * Writes a mail in `locale`. `unsubscribe` is the path by which the recipient leaves the list it belongs to; null for
 * mails about the account itself.
 */
export async function renderMail<T extends MailTemplate>(
  template: T,
  data: MailData[T],
  { locale, site, unsubscribe }: { locale: string; site: MailSite; unsubscribe: string | null },
): Promise<RenderedMail> {
  const writing = writingOf(locale, site);
  const said = templates[template](writing, data);
  const footer = footerOf(writing, template, unsubscribe);
  const html = withEnglishMarked(writing, await render(mailLayout(writing, said, footer)));
  return { subject: said.subject, html, text: plainText(said, footer) };
}

function withEnglishMarked({ locale, formatting }: Writing, html: string): string {
  const english = englishTexts(locale);
  if (english.isEmpty) return html;
  const { baseName } = new Intl.Locale(formatting);
  return markEnglish(html, { locale: baseName, isEnglish: (text) => english.has(text) });
}

/** Why one receives it, and how to leave. */
function footerOf({ t, url, site }: Writing, template: MailTemplate, unsubscribe: string | null): Block[] {
  const values = { host: new URL(site.url).host };
  if (unsubscribe !== null)
    return [
      {
        kind: 'note',
        text:
          listOf[template] === 'newsletter'
            ? t('mail.footer_newsletter', values)
            : t('mail.footer_list', values),
      },
      { kind: 'button', label: t('mail.unsubscribe'), url: url(unsubscribe) },
    ];
  if (template === 'staff_notice') return [{ kind: 'note', text: t('mail.footer_staff', values) }];
  const asked = template === 'newsletter_confirm' || listOf[template] !== null;
  const line = asked ? t('mail.footer_asked', values) : t('mail.footer_account', values);
  return [{ kind: 'note', text: line }];
}
