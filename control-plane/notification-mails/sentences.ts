import type { MessageKey } from '#content/keys.ts';
import type { Messages, Values } from '#content/messages.ts';
import { alertSentence } from '#content/server-alerts.ts';
import { shareSentence } from '#content/share-sentence.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import { addressEnd } from '#db/catalogue/versions/rules.ts';
import type { MailedNotification } from '#db/messages/notification-mails/due.ts';
import type { NotificationType } from '#db/messages/notifications/rules.ts';

/** What one or several notifications of the same kind say in a mail. */
export interface Sentence {
  text: string;
  link: string;
}

/** Notifications are all on this page; there is none yet for a single report. */
export const list_path = '/dashboard/notifications';
/** Versions that a sentence names. */
const named_versions = 3;
/** Alerts that a mail names: what happened in one night. */
const named_alerts = 10;

const statuses: Readonly<Record<string, MessageKey>> = {
  approved: 'notifications.status_approved',
  unlisted: 'notifications.status_unlisted',
  private: 'notifications.status_private',
  draft: 'notifications.status_draft',
  processing: 'notifications.status_processing',
  rejected: 'notifications.status_rejected',
  withheld: 'notifications.status_withheld',
  scheduled: 'notifications.status_scheduled',
};

export const projectLink = (slug: string): string => `/project/${encodeURIComponent(slug)}`;

const alertsLink = (server_id: unknown): string => `/servers/manage/${server_id}/options/alerts`;

export const organizationLink = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;

/** The project, organization or server that a notification is about; empty when its user may not see it. */
export const nameOf = (
  body: MailedNotification['body'],
  { projects, organizations }: NotificationNames,
): string =>
  projects.get(String(body.project_id))?.title ??
  organizations.get(String(body.organization_id))?.name ??
  String(body.server_name ?? '');

/**
 * The sentence about notifications of one type and one subject, the newest first; null when what they are about is gone or
 * hidden from their user by now.
 */
export function sentenceOf(
  messages: Messages,
  type: NotificationType,
  notifications: readonly MailedNotification[],
  names: NotificationNames,
): Sentence | null {
  const { t } = messages;
  const { body } = notifications[0]!;
  const project = names.projects.get(String(body.project_id));
  const organization = names.organizations.get(String(body.organization_id));
  const person = names.people.get(String(body.invited_by ?? body.published_by));
  const count = notifications.length;
  const values: Values = {
    count,
    shown: new Intl.NumberFormat(messages.formatting).format(count),
    project: project?.title,
    organization: organization?.name,
    person: person?.username,
  };
  const link = project ? projectLink(project.slug) : list_path;
  const aboutProject = (key: MessageKey) => (project ? { text: t(key, values), link } : null);
  switch (type) {
    case 'project_update':
      return project ? released(messages, notifications, { names, link }) : null;
    case 'new_project':
      return aboutProject(person ? 'notifications.new_project' : 'notifications.new_project_unnamed');
    case 'team_invite':
      return names.invitations.has(String(body.team_id))
        ? aboutProject(person ? 'notifications.invited_by' : 'notifications.invited')
        : null;
    case 'organization_invite': {
      if (!organization || !names.invitations.has(String(body.team_id))) return null;
      const key = person ? 'notifications.organization_invited_by' : 'notifications.organization_invited';
      return { text: t(key, values), link: organizationLink(organization.slug) };
    }
    case 'server_invite': {
      const server = names.servers.get(String(body.server_id));
      if (!server) return null;
      const by = person?.username ?? server.owner;
      return {
        text: t('notifications.server_invited_by', { server: server.server, person: by }),
        link: list_path,
      };
    }
    case 'status_change':
      return aboutProject(statuses[String(body.new_status)] ?? 'notifications.status_other');
    case 'moderator_message':
      return body.report_id
        ? { text: t('notifications.report_messages', values), link: `/dashboard/report/${body.report_id}` }
        : aboutProject('notifications.messages');
    case 'webhook_off': {
      const at = project ? link : organization && organizationLink(organization.slug);
      const alerts = body.server_id === undefined ? null : alertsLink(body.server_id);
      const text = t('notifications.webhook_off', {
        ...values,
        name: String(body.name),
        owner: nameOf(body, names),
      });
      if (alerts) return { text, link: alerts };
      return at ? { text, link: `${at}/settings/webhooks?webhook=${body.webhook_id}` } : null;
    }
    case 'server_alert': {
      const said = notifications.slice(0, named_alerts).map((one) => alertSentence(messages, alertOf(one)));
      const more = notifications.length - said.length;
      const newest = said.join('. ');
      const text = more > 0 ? t('server_alerts.and_more', { count: more, newest }) : newest;
      return { text, link: alertsLink(body.server_id) };
    }
    case 'server_lost':
    case 'server_port':
    case 'billing':
    case 'takedown':
    case 'payout_requested':
    case 'payout_settled':
      return null; // its mail is written beside it
    case 'project_transferred':
      return aboutProject('notifications.transferred');
    case 'share_changed': {
      const owner = nameOf(body, names);
      return owner === '' ? null : { text: shareSentence(messages, owner, body), link: '/dashboard/revenue' };
    }
    case 'payout_available':
      return { text: t('notifications.payout_available'), link: '/dashboard/revenue' };
    case 'report_submitted':
      return { text: t('notifications.report_received', values), link: list_path };
    case 'report_status_updated':
      return {
        text: t(body.closed ? 'notifications.report_closed' : 'notifications.report_reopened'),
        link: list_path,
      };
  }
}

const alertOf = ({ body }: MailedNotification) => ({
  name: String(body.name),
  kind: String(body.kind),
  state: String(body.state),
  bound: typeof body.bound === 'number' ? body.bound : null,
});

/** "2.4.0, 2.3.1 and 4 more were released", the newest versions first. */
function released(
  { t, formatting }: Messages,
  notifications: readonly MailedNotification[],
  { names, link }: { names: NotificationNames; link: string },
): Sentence | null {
  const versions = notifications.flatMap(({ body }) => names.versions.get(String(body.version_id)) ?? []);
  const [newest] = versions;
  if (!newest) return null;
  const named = versions.slice(0, named_versions).map(({ version_number }) => version_number);
  const left = versions.length - named.length;
  const parts = left > 0 ? [...named, t('notifications.more_versions', { count: left })] : named;
  const list = new Intl.ListFormat(formatting, { type: 'conjunction' }).format(parts);
  return {
    text: t('notifications.released', { count: versions.length, versions: list }),
    link: versions.length > 1 ? `${link}/versions` : `${link}/version/${addressEnd(newest, newest.by_id)}`,
  };
}
