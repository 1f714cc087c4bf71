import type { MailData } from '#db/messages/mail/rules.ts';
import { utcTime } from '../utc-time.ts';
import type { Block, MailText, Writing } from './blocks.ts';

type Template<T extends keyof MailData> = (w: Writing, data: MailData[T]) => MailText;
const text = (said: string): Block => ({ kind: 'text', text: said });

const server_rescued: Template<'server_rescued'> = (w, { username, service, state_of, address, link }) => {
  const { t, quoted, url } = w;
  const of = { service: quoted(service) };
  const rows = [
    { name: t('mail.server_state_of'), value: state_of && utcTime(w, state_of) },
    { name: t('mail.server_address'), value: address },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value: quoted(value) }]));
  return {
    subject: t('mail.server_rescued', of),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t('mail.server_rescued_text', of)),
      { kind: 'facts', rows },
      text(t('mail.server_rescued_address')),
      { kind: 'button', label: t('mail.server_button'), url: url(link) },
    ],
  };
};

const server_lost: Template<'server_lost'> = (w, { username, service, state_of, money, link }) => {
  const { t, quoted, url, site } = w;
  const of = { service: quoted(service) };
  const kept = state_of === null ? null : { ...of, time: utcTime(w, state_of) };
  return {
    subject: t('mail.server_lost', of),
    blocks: [
      text(t('mail.greeting', { username })),
      text(kept ? t('mail.server_lost_kept', kept) : t('mail.server_lost_text', of)),
      ...(money === null
        ? []
        : [text(t(money === 'lost' ? 'mail.server_lost_paid' : 'mail.server_lost_refund'))]),
      ...(site.support === null ? [] : [text(t('mail.support', { contact: site.support }))]),
      { kind: 'button', label: t('mail.server_button'), url: url(link) },
    ],
  };
};

const server_port: Template<'server_port'> = ({ t, quoted, url }, { username, service, ...data }) => {
  const of = { service: quoted(service) };
  return {
    subject: t('mail.server_port', of),
    blocks: [
      text(t('mail.greeting', { username })),
      text(t('mail.server_port_text', of)),
      {
        kind: 'facts',
        rows: [
          { name: t('mail.server_address'), value: data.after },
          { name: t('mail.address_before'), value: data.before },
        ],
      },
      { kind: 'button', label: t('mail.server_button'), url: url(data.link) },
    ],
  };
};

/** The mails about rented servers whose machine was lost, or whose address changed. */
export const serverMails = { server_rescued, server_lost, server_port } satisfies {
  [T in keyof MailData]?: Template<T>;
};
