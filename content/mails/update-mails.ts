import type { MailData } from '#db/messages/mail/rules.ts';
import type { MessageKey } from '../keys.ts';
import type { Block, MailText, Writing } from './blocks.ts';

type Template<T extends keyof MailData> = (w: Writing, data: MailData[T]) => MailText;

/** One sentence and where it leads. */
function update(
  w: Writing,
  username: string,
  { subject, sentence, button, link }: { subject: string; sentence: string; button: string; link: string },
): MailText {
  return {
    subject,
    blocks: [
      { kind: 'text', text: w.t('mail.greeting', { username }) },
      { kind: 'text', text: sentence },
      { kind: 'button', label: button, url: w.url(link) },
    ],
  };
}

const statuses: Readonly<Record<string, MessageKey>> = {
  approved: 'mail.status_approved',
  archived: 'mail.status_archived',
  rejected: 'mail.status_rejected',
  draft: 'mail.status_draft',
  unlisted: 'mail.status_unlisted',
  processing: 'mail.status_processing',
  withheld: 'mail.status_withheld',
  scheduled: 'mail.status_scheduled',
  private: 'mail.status_private',
};
const statusName = ({ t }: Writing, status: string): string =>
  t(Object.hasOwn(statuses, status) ? statuses[status]! : 'mail.status_unknown');

const project_update: Template<'project_update'> = (w, { username, name, version, link }) => {
  const values = { name: w.quoted(name), version: w.quoted(version) };
  return update(w, username, {
    subject: w.t('mail.project_update', values),
    sentence: w.t('mail.project_update_text', values),
    button: w.t('mail.project_update_button'),
    link,
  });
};

const invite = (
  w: Writing,
  { username, invited_by, name, role, link }: MailData['team_invite'],
  key: 'mail.team_invite_text' | 'mail.organization_invite_text',
): MailText =>
  update(w, username, {
    subject: w.t('mail.invite', { name: w.quoted(name) }),
    sentence: w.t(key, { name: w.quoted(name), person: w.quoted(invited_by), role: w.quoted(role) }),
    button: w.t('mail.invite_button'),
    link,
  });

const status_change: Template<'status_change'> = (w, { username, name, old_status, new_status, link }) => {
  const values = { name: w.quoted(name), status: statusName(w, new_status), old: statusName(w, old_status) };
  return update(w, username, {
    subject: w.t('mail.status_change', { name: values.name, status: values.status }),
    sentence: w.t('mail.status_change_text', values),
    button: w.t('mail.project_button'),
    link,
  });
};

const project_status_approved: Template<'project_status_approved'> = (w, { username, name, link }) =>
  update(w, username, {
    subject: w.t('mail.project_approved', { name: w.quoted(name) }),
    sentence: w.t('mail.project_approved_text', { name: w.quoted(name) }),
    button: w.t('mail.project_button'),
    link,
  });

const moderator_message: Template<'moderator_message'> = (w, { username, name, link }) =>
  update(w, username, {
    subject: w.t('mail.moderator_message'),
    sentence:
      name === null
        ? w.t('mail.moderator_message_report')
        : w.t('mail.moderator_message_text', { name: w.quoted(name) }),
    button: w.t('mail.moderator_message_button'),
    link,
  });

const report_status_updated: Template<'report_status_updated'> = (w, { username, closed, link }) =>
  update(w, username, {
    subject: closed ? w.t('mail.report_closed') : w.t('mail.report_reopened'),
    sentence: closed ? w.t('mail.report_closed_text') : w.t('mail.report_reopened_text'),
    button: w.t('mail.report_button'),
    link,
  });

const notification: Template<'notification'> = (w, { username, title, text, link }) =>
  update(w, username, {
    subject: w.quoted(title),
    sentence: text,
    button: w.t('mail.notification_button'),
    link,
  });

const staff_notice: Template<'staff_notice'> = (w, { title, text, link }) => ({
  subject: w.quoted(title),
  blocks: [
    { kind: 'text', text },
    { kind: 'button', label: w.t('mail.notification_button'), url: w.url(link) },
  ],
});

const digest: Template<'digest'> = (w, { username, period, groups, more }) => {
  const { t, url, quoted } = w;
  const count = groups.reduce((sum, { items }) => sum + items.length, more);
  const lists = groups.map(
    ({ title, link, items }): Block => ({
      kind: 'list',
      title: quoted(title),
      url: url(link),
      items: items.map((item) => ({ text: quoted(item.text), url: url(item.link) })),
    }),
  );
  return {
    subject: period === 'daily' ? t('mail.digest_daily', { count }) : t('mail.digest_weekly', { count }),
    blocks: [
      { kind: 'text', text: t('mail.greeting', { username }) },
      {
        kind: 'text',
        text: period === 'daily' ? t('mail.digest_daily_text') : t('mail.digest_weekly_text'),
      },
      ...lists,
      // smaller and apart, so that it does not seem to be the last line of the last group
      ...(more > 0 ? [{ kind: 'note', text: t('mail.digest_more', { count: more }) } as const] : []),
      { kind: 'button', label: t('mail.digest_button'), url: url('/dashboard/notifications') },
    ],
  };
};

/** The mails about what happens on the site. */
export const updateMails = {
  project_update,
  team_invite: (w, data) => invite(w, data, 'mail.team_invite_text'),
  organization_invite: (w, data) => invite(w, data, 'mail.organization_invite_text'),
  status_change,
  project_status_approved,
  moderator_message,
  report_status_updated,
  notification,
  digest,
  staff_notice,
} satisfies { [T in keyof MailData]?: Template<T> };
