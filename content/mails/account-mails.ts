import type { MailData } from '#db/messages/mail/rules.ts';
import type { EndedAccess } from '#db/platform/people/rules.ts';
import { utcTime } from '../utc-time.ts';
import type { Block, MailText, Writing } from './blocks.ts';

type Template<T extends keyof MailData> = (w: Writing, data: MailData[T]) => MailText;

const text = (line: string): Block => ({ kind: 'text', text: line });
const note = (line: string): Block => ({ kind: 'note', text: line });

/** Whose change it was not sets a new password, which ends all sessions. */
const notYou = ({ t, url }: Writing): Block[] => [
  note(t('mail.not_you')),
  { kind: 'button', label: t('mail.not_you_button'), url: url('/auth/reset-password') },
];

const verify_email: Template<'verify_email'> = ({ t, url }, { username, link }) => ({
  subject: t('mail.verify_email'),
  blocks: [
    text(t('mail.greeting', { username })),
    text(t('mail.verify_email_text')),
    { kind: 'button', label: t('mail.verify_email_button'), url: url(link) },
    note(t('mail.verify_email_note')),
  ],
});

const reset_password: Template<'reset_password'> = ({ t, url }, { username, link }) => ({
  subject: t('mail.reset_password'),
  blocks: [
    text(t('mail.greeting', { username })),
    text(t('mail.reset_password_text')),
    { kind: 'button', label: t('mail.reset_password_button'), url: url(link) },
    note(t('mail.reset_password_note')),
  ],
});

const email_changed: Template<'email_changed'> = ({ t, site, quoted }, { username, new_email }) => ({
  subject: t('mail.email_changed'),
  blocks: [
    text(t('mail.greeting', { username })),
    text(t('mail.email_changed_text', { email: quoted(new_email) })),
    note(t('mail.email_changed_note', { contact: quoted(site.contact) })),
  ],
});

const sign_up_attempted: Template<'sign_up_attempted'> = ({ t, url }, { username }) => ({
  subject: t('mail.sign_up_attempted'),
  blocks: [
    text(t('mail.greeting', { username })),
    text(t('mail.sign_up_attempted_text')),
    { kind: 'button', label: t('mail.reset_password_button'), url: url('/auth/reset-password') },
    note(t('mail.sign_up_attempted_note')),
  ],
});

const newsletter_confirm: Template<'newsletter_confirm'> = ({ t, url }, { link }) => ({
  subject: t('mail.newsletter_confirm'),
  blocks: [
    text(t('mail.newsletter_confirm_text')),
    { kind: 'button', label: t('mail.newsletter_confirm_button'), url: url(link) },
    note(t('mail.newsletter_confirm_note')),
  ],
});

/** Articles are written in English only. */
const article_lang = 'en';

const newsletter: Template<'newsletter'> = ({ t, url, quoted, formatting }, { title, summary, link }) => {
  const lang = new Intl.Locale(formatting).language === article_lang ? undefined : article_lang;
  return {
    subject: quoted(title),
    heading_lang: lang,
    blocks: [
      { kind: 'text', text: quoted(summary, 200), lang },
      { kind: 'button', label: t('mail.newsletter_button'), url: url(link) },
      ...(lang ? [note(t('mail.newsletter_english'))] : []),
    ],
  };
};

const new_sign_in: Template<'new_sign_in'> = (w, { username, device, ip, place, at }) => {
  const { t, quoted } = w;
  const rows = [
    { name: t('mail.device'), value: device },
    { name: t('mail.place'), value: place },
    { name: t('mail.network_address'), value: ip },
    { name: t('mail.time'), value: utcTime(w, at) },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value: quoted(value) }]));
  return {
    subject: t('mail.new_sign_in'),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t('mail.new_sign_in_text')),
      { kind: 'facts', rows },
      ...notYou(w),
    ],
  };
};

/** A change of how one signs in, said in one sentence, and what ended with it. */
function changed(
  w: Writing,
  username: string,
  subject: string,
  sentence: string,
  ended?: EndedAccess,
): MailText {
  const blocks = [
    text(w.t('mail.greeting', { username })),
    text(sentence),
    ...(ended ? endedBlocks(w, ended) : []),
  ];
  return { subject, blocks: [...blocks, ...notYou(w)] };
}

function endedBlocks({ t }: Writing, { sessions, tokens, apps, sftp, ways }: EndedAccess): Block[] {
  const rows = [
    { name: t('mail.ended_sessions'), value: sessions },
    { name: t('mail.ended_tokens'), value: tokens },
    { name: t('mail.ended_apps'), value: apps },
    { name: t('mail.ended_sftp'), value: sftp },
    { name: t('mail.ended_ways'), value: ways },
  ].filter(({ value }) => value > 0);
  if (rows.length === 0) return [];
  return [
    text(t('mail.ended')),
    {
      kind: 'facts',
      rows: rows.map(({ name, value }) => ({ name, value: t('mail.ended_count', { count: value }) })),
    },
  ];
}

const staff_factor: Template<'staff_factor'> = ({ t, url, formatting }, { username, until }) => {
  const date = new Intl.DateTimeFormat(formatting, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(until),
  );
  return {
    subject: t('mail.staff_factor'),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t('mail.staff_factor_text', { date })),
      {
        kind: 'button',
        label: t('mail.staff_factor_button'),
        url: url('/settings/account#two-factor'),
      },
    ],
  };
};

/** The mails about the account itself, and to an address alone. */
export const accountMails = {
  verify_email,
  reset_password,
  email_changed,
  newsletter_confirm,
  newsletter,
  new_sign_in,
  password_changed: (w, { username, ended }) =>
    changed(w, username, w.t('mail.password_changed'), w.t('mail.password_changed_text'), ended),
  password_removed: (w, { username, ended }) =>
    changed(w, username, w.t('mail.password_removed'), w.t('mail.password_removed_text'), ended),
  two_factor_enabled: (w, { username, ended }) =>
    changed(w, username, w.t('mail.two_factor_enabled'), w.t('mail.two_factor_enabled_text'), ended),
  two_factor_removed: (w, { username, ended }) =>
    changed(w, username, w.t('mail.two_factor_removed'), w.t('mail.two_factor_removed_text'), ended),
  passkey_added: (w, { username, name }) =>
    changed(w, username, w.t('mail.passkey_added'), w.t('mail.passkey_added_text', { name: w.quoted(name) })),
  passkey_removed: (w, { username, name }) =>
    changed(
      w,
      username,
      w.t('mail.passkey_removed'),
      w.t('mail.passkey_removed_text', { name: w.quoted(name) }),
    ),
  auth_provider_added: (w, { username, provider }) =>
    changed(
      w,
      username,
      w.t('mail.provider_added', { provider }),
      w.t('mail.provider_added_text', { provider: w.quoted(provider) }),
    ),
  auth_provider_removed: (w, { username, provider }) =>
    changed(
      w,
      username,
      w.t('mail.provider_removed', { provider }),
      w.t('mail.provider_removed_text', { provider: w.quoted(provider) }),
    ),
  payout_address: (w, { username, method, address }) =>
    changed(
      w,
      username,
      w.t('mail.payout_address'),
      w.t('mail.payout_address_text', { method, address: w.quoted(address, 80) }),
    ),
  staff_factor,
  session_guessed: (w, { username }) =>
    changed(w, username, w.t('mail.session_guessed'), w.t('mail.session_guessed_text')),
  sign_up_attempted,
  pat_created: (w, { username, token_name }) =>
    changed(
      w,
      username,
      w.t('mail.pat_created'),
      w.t('mail.pat_created_text', { name: w.quoted(token_name, 40) }),
    ),
} satisfies { [T in keyof MailData]?: Template<T> };
