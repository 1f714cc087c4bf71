import type { Messages } from '#content/messages.ts';
import { valueWriter } from '#content/value-writer.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import { subjectOf } from '#db/accounts/notifications/subject.ts';
import type { MailedNotification } from '#db/messages/notification-mails/due.ts';
import { isFixed, type NotificationType } from '#db/messages/notifications/rules.ts';
import { addressOf, aloneTexts, sentenceOf } from '#db/messages/notifications/sentence.ts';

/** What one or several notifications of the same kind say in a mail. */
export interface Sentence {
  text: string;
  link: string;
}

/** Alerts that a mail names: what happened in one night. */
const named_alerts = 10;

export const projectLink = (slug: string): string => `/project/${encodeURIComponent(slug)}`;

export const organizationLink = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;

const mailSubject = (notifications: readonly MailedNotification[], names: NotificationNames) =>
  subjectOf(notifications, names, {
    paths: ({ project, organization, server_id }) => ({
      project: project && projectLink(project.slug),
      organization: organization && organizationLink(organization.slug),
      server: server_id && `/servers/manage/${server_id}`,
    }),
  });

/** Whether it is an invitation to a team that was answered, or whose team is gone. */
const isAnswered = ({ body: { team_id } }: MailedNotification, { invitations }: NotificationNames): boolean =>
  team_id !== undefined && !invitations.has(String(team_id));

/**
 * The sentence about notifications of one type and one subject, the newest first; null when what they are about is gone or
 * hidden from their user by now, and when their mail is written beside them.
 */
export function mailSentence(
  messages: Messages,
  type: NotificationType,
  notifications: readonly MailedNotification[],
  names: NotificationNames,
): Sentence | null {
  if (isFixed(type) || isAnswered(notifications[0]!, names)) return null;
  const subject = mailSubject(notifications, names);
  const text = sentenceOf(type, subject, valueWriter(messages), { of: 'mail', named: named_alerts });
  const link = addressOf(type, subject, 'mail');
  return text === null || link === null ? null : { text, link };
}

/** The subject of a mail that only has this sentence, and its text. */
export function mailTexts(
  messages: Messages,
  type: NotificationType,
  notifications: readonly MailedNotification[],
  { names, sentence }: { names: NotificationNames; sentence: Sentence },
): { title: string; text: string } {
  const { title, text } = aloneTexts(type, mailSubject(notifications, names), valueWriter(messages));
  return { title: title ?? sentence.text, text: text ?? sentence.text };
}
