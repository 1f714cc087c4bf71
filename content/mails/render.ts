import { renderToStaticMarkup } from 'react-dom/server';
import { listOf, type MailData, type MailTemplate } from '#db/messages/mail/rules.ts';
import { markEnglish } from '../mark-english.ts';
import { englishTexts, languageRows, messages } from '../messages.ts';
import { accountMails } from './account-mails.ts';
import type { Block, MailSite, MailText, Writing } from './blocks.ts';
import { creatorMails } from './creator-mails.ts';
import { mailLayout } from './layout.ts';
import { moneyMails } from './money-mails.ts';
import { serverMails } from './server-mails.ts';
import { updateMails } from './update-mails.ts';

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

/** Mail programs lay out by the rules of this one. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/**
 * Writes a mail in `locale`. `unsubscribe` is the path by which the recipient leaves the list it belongs to; null for
 * mails about the account itself.
 */
export function renderMail<T extends MailTemplate>(
  template: T,
  data: MailData[T],
  { locale, site, unsubscribe }: { locale: string; site: MailSite; unsubscribe: string | null },
): RenderedMail {
  const writing = writingOf(locale, site);
  const said = templates[template](writing, data);
  const footer = footerOf(writing, template, unsubscribe);
  const html = withEnglishMarked(writing, doctype + renderToStaticMarkup(mailLayout(writing, said, footer)));
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

/** The plain-text part of a mail: what its HTML says, with addresses written out. */
function plainText({ subject, heading = subject, blocks }: MailText, footer: Block[]): string {
  const parts = [...blocks, { kind: 'text', text: '-- ' } as const, ...footer];
  return `${[heading, ...parts.map(plainBlock)].join('\n\n')}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text;
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'facts':
      return block.rows.map(({ name, value }) => `${name}: ${value}`).join('\n');
    case 'list':
      return [block.title, ...block.items.map(({ text, url }) => `- ${text}\n  ${url}`)].join('\n');
  }
}

const max_quoted = 120;

/** How a mail is written in `locale`; a language that is not offered counts as en-US. */
function writingOf(locale: string, site: MailSite): Writing {
  const found = messages(locale);
  const dir = languageRows.find(({ tag }) => tag === found.locale)?.dir ?? 'ltr';
  return {
    ...found,
    dir,
    site,
    url: (path) => `${site.url}${isPath(path) ? path : ''}`,
    quoted(text, max_length = max_quoted) {
      // programs make links of addresses in texts, which strangers may have written
      const line = text
        .replaceAll('://', ' ')
        .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim();
      const short = [...line].length > max_length ? `${[...line].slice(0, max_length).join('')}…` : line;
      return dir === 'rtl' ? `\u2068${short}\u2069` : short;
    },
  };
}

/** Whether `text` stays on the site when it follows its address. */
const isPath = (text: string): boolean => /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(text);
