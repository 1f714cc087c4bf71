import { type Messages, messages } from '#content/messages.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import type { NewMail } from '#db/messages/mail/queue.ts';
import type { MailData } from '#db/messages/mail/rules.ts';
import type { MailedNotification, Recipient } from '#db/messages/notification-mails/due.ts';
import type { NotificationType } from '#db/messages/notifications/rules.ts';
import { list_path, notificationTexts } from '#db/messages/notifications/texts.ts';
import { mailSentence, mailTexts, organizationLink, projectLink, type Sentence } from './sentences.ts';

type Written = { [T in keyof MailData]: { template: T; data: MailData[T] } }[keyof MailData];
/** Groups of a digest; what is left out is counted. */
const max_groups = 12;

/** The rows of the texts stand in the order in which a mail names them. */
const order = Object.keys(notificationTexts);

interface Topic {
  type: NotificationType;
  notifications: MailedNotification[];
}

/** Notifications of one type about the same thing, the most important and then the newest first. */
function topicsOf(notifications: readonly MailedNotification[]): Topic[] {
  const topics = new Map<string, Topic>();
  for (const notification of notifications) {
    const { type, body, group_key, id } = notification;
    const key = `${type} ${group_key ?? body.project_id ?? id}`;
    const topic = topics.get(key) ?? { type, notifications: [] };
    topic.notifications.push(notification);
    topics.set(key, topic);
  }
  return [...topics.values()].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
}

/** The mail of a day or a week: grouped by project; null when nothing of it can be seen anymore. */
export function writeDigest(
  recipient: Recipient,
  notifications: readonly MailedNotification[],
  { names, period }: { names: NotificationNames; period: 'daily' | 'weekly' },
): Written | null {
  const said = messages(recipient.locale ?? 'en-US');
  const groups = new Map<string, { title: string; link: string; items: Sentence[] }>();
  for (const topic of topicsOf(notifications)) {
    const sentence = mailSentence(said, topic.type, topic.notifications, names);
    if (!sentence) continue;
    const head = headOf(said, topic.notifications[0]!, names);
    const group = groups.get(head.title) ?? { ...head, items: [] };
    group.items.push(sentence);
    groups.set(head.title, group);
  }
  const all = [...groups.values()];
  if (all.length === 0) return null;
  const more = all.slice(max_groups).reduce((sum, { items }) => sum + items.length, 0);
  const { username } = recipient;
  return { template: 'digest', data: { username, period, groups: all.slice(0, max_groups), more } };
}

/** The heading of a group and where it leads: its project or organization, or the user's reports. */
function headOf({ t }: Messages, { body }: MailedNotification, names: NotificationNames) {
  const project = names.projects.get(String(body.project_id));
  if (project) return { title: project.title, link: projectLink(project.slug) };
  const organization = names.organizations.get(String(body.organization_id));
  if (organization) {
    return { title: organization.name, link: organizationLink(organization.slug) };
  }
  const server = names.servers.get(String(body.server_id));
  if (server) return { title: server.server, link: list_path };
  return { title: t('notifications.your_reports'), link: list_path };
}

/** The mails of what is sent at once: one about each thing, however many notifications there are of it. */
export function writeAtOnce(
  recipient: Recipient,
  notifications: readonly MailedNotification[],
  names: NotificationNames,
): Written[] {
  const said = messages(recipient.locale ?? 'en-US');
  return topicsOf(notifications).flatMap((topic) => {
    const sentence = mailSentence(said, topic.type, topic.notifications, names);
    return sentence ? [oneMail(said, recipient, topic, { sentence, names })] : [];
  });
}

/** The mail about one thing: that of its type, or one that only has the sentence. */
function oneMail(
  said: Messages,
  { username }: Recipient,
  { type, notifications }: Topic,
  { sentence, names }: { sentence: Sentence; names: NotificationNames },
): Written {
  const { link } = sentence;
  const { body } = notifications[0]!;
  const name = names.projects.get(String(body.project_id))?.title ?? '';
  const person = names.people.get(String(body.invited_by))?.username;
  const invitation = { username, invited_by: person ?? '', role: String(body.role ?? ''), link };
  const version = names.versions.get(String(body.version_id))?.version_number;
  if (type === 'project_update' && notifications.length === 1 && version !== undefined)
    return { template: 'project_update', data: { username, name, version, link } };
  if (type === 'team_invite' && person) return { template: 'team_invite', data: { ...invitation, name } };
  if (type === 'organization_invite' && person) {
    const organization = names.organizations.get(String(body.organization_id))?.name ?? '';
    return { template: 'organization_invite', data: { ...invitation, name: organization } };
  }
  if (type === 'status_change') {
    const [old_status, new_status] = [String(body.old_status), String(body.new_status)];
    return new_status === 'approved'
      ? { template: 'project_status_approved', data: { username, name, link } }
      : { template: 'status_change', data: { username, name, old_status, new_status, link } };
  }
  if (type === 'moderator_message')
    return { template: 'moderator_message', data: { username, name: body.report_id ? null : name, link } };
  if (type === 'report_status_updated')
    return { template: 'report_status_updated', data: { username, closed: body.closed === true, link } };
  const texts = mailTexts(said, type, notifications, { names, sentence });
  return { template: 'notification', data: { username, ...texts, link } };
}

/** What `queueMail` needs beside the text. */
export const addressed = (written: Written, user_id: string, now: Date): NewMail =>
  ({ ...written, to: null, user_id, now }) as NewMail;
