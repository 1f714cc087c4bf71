import type { MailData } from '#db/messages/mail/rules.ts';
import { amountText } from '../amount.ts';
import type { MessageKey } from '../keys.ts';
import type { Block, MailText, Writing } from './blocks.ts';

type Template<T extends keyof MailData> = (w: Writing, data: MailData[T]) => MailText;
const text = (line: string): Block => ({ kind: 'text', text: line });

const payout_requested: Template<'payout_requested'> = (w, { username, amount, method, address, link }) => {
  const { t, url, quoted } = w;
  const values = { amount: amountText(w, amount, 'USD'), method, address: quoted(address, 80) };
  return {
    subject: t('mail.payout_requested', values),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t('mail.payout_requested_text', values)),
      { kind: 'button', label: t('mail.transfers_button'), url: url(link) },
      { kind: 'note', text: t('mail.not_you') },
      { kind: 'button', label: t('mail.not_you_button'), url: url('/auth/reset-password') },
    ],
  };
};

const settled: Record<MailData['payout_settled']['state'], [subject: MessageKey, text: MessageKey]> = {
  success: ['mail.payout_paid', 'mail.payout_paid_text'],
  failed: ['mail.payout_failed', 'mail.payout_failed_text'],
  cancelled: ['mail.payout_cancelled', 'mail.payout_cancelled_text'],
};

const payout_settled: Template<'payout_settled'> = (w, { username, amount, state, link }) => {
  const { t, url } = w;
  const [subject, sentence] = settled[state];
  return {
    subject: t(subject, { amount: amountText(w, amount, 'USD') }),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t(sentence)),
      { kind: 'button', label: t('mail.transfers_button'), url: url(link) },
    ],
  };
};

/** The most of a reason that a mail quotes: all that staff may enter. */
const max_reason = 2_000;

const project_taken_down: Template<'project_taken_down'> = (w, data) => {
  const { t, url, quoted } = w;
  const name = quoted(data.name);
  const rows = [
    { name: t('mail.takedown_reason'), value: quoted(data.reason, max_reason) },
    ...(data.reference === '' ? [] : [{ name: t('mail.takedown_reference'), value: quoted(data.reference) }]),
  ];
  return {
    subject: t('mail.project_taken_down', { name, kind: data.kind }),
    blocks: [
      text(t('mail.greeting', { username: data.username })),
      text(t('mail.project_taken_down_text', { name })),
      { kind: 'facts', rows },
      text(t('mail.takedown_answer')),
      { kind: 'button', label: t('mail.takedown_button'), url: url(data.link) },
    ],
  };
};

const project_shown_again: Template<'project_shown_again'> = ({ t, url, quoted }, data) => {
  const name = quoted(data.name);
  return {
    subject: t('mail.project_shown_again', { name }),
    blocks: [
      text(t('mail.greeting', { username: data.username })),
      text(t('mail.project_shown_again_text', { name })),
      { kind: 'button', label: t('mail.project_button'), url: url(data.link) },
    ],
  };
};

/** The mails to creators about their balance and about takedowns, which nobody turns off. */
export const creatorMails = {
  payout_requested,
  payout_settled,
  project_taken_down,
  project_shown_again,
} satisfies { [T in keyof MailData]?: Template<T> };
