import { amountText } from '#content/amount.ts';
import { billingSentence } from '#content/billing-notices.ts';
import type { MessageKey, Messages } from '#content/messages.ts';
import { alertSentence, lossSentence } from '#content/server-alerts.ts';
import { shareSentence } from '#content/share-sentence.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import { addressEnd } from '#db/catalogue/versions/rules.ts';
import type { NotificationGroup } from '#db/messages/notifications/read.ts';
import type { NotificationBodies, SiteType } from '#db/messages/notifications/rules.ts';
import { billingLink } from '#db/messages/notifications/texts.ts';
import {
  organizationPath,
  organizationSettingsPath,
  projectPath,
  projectSettingsPath,
} from '../../platform/paths/routes.ts';
import { bidiIsolated } from '../../platform/text/bidi.ts';
import { exactNumber } from '../../platform/text/format.ts';

/** How a group of notifications is said on a page. */
export interface NotificationLine {
  key: string;
  type: SiteType;
  /** One sentence about the whole group. */
  text: string;
  /** The page that it is about; null when there is none that the user may see. */
  href: string | null;
  /** The picture before it: that of a project, of a person, or none. */
  project_icon: string | null | undefined;
  person: { username: string; avatar_url: string | null } | null;
  /** Of the newest one. RFC 3339. */
  created: string;
  is_unread: boolean;
  /** The newest of its versions, and how many there are beside them. */
  versions: Array<{ text: string; href: string }>;
  more_versions: number;
  /** The role that an invitation offers. */
  role: string | null;
  /** The invitation that waits for an answer. */
  invitation: { of: 'team' | 'server'; id: string; name: string } | null;
}

/** Versions that are named of one project. */
const named_versions = 5;

const statusTexts: Record<string, MessageKey> = {
  approved: 'notifications.status_approved',
  unlisted: 'notifications.status_unlisted',
  private: 'notifications.status_private',
  draft: 'notifications.status_draft',
  processing: 'notifications.status_processing',
  rejected: 'notifications.status_rejected',
  withheld: 'notifications.status_withheld',
  scheduled: 'notifications.status_scheduled',
};

const transfers_path = '/dashboard/revenue/transfers';
const payoutTexts: Record<string, MessageKey> = {
  success: 'notifications.payout_paid',
  failed: 'notifications.payout_failed',
  cancelled: 'notifications.payout_cancelled',
};

/** The line of a group, in the language of `messages`; names stand isolated, so that they turn no sentence around. */
export function notificationLine(
  messages: Messages,
  { key, count, unread, notifications }: NotificationGroup,
  names: NotificationNames,
): NotificationLine {
  const { t } = messages;
  const newest = notifications[0]!;
  const { body } = newest;
  const type = body.type as SiteType;
  const project = names.projects.get(String(body.project_id));
  const organization = names.organizations.get(String(body.organization_id));
  const person = names.people.get(String(body.invited_by ?? body.published_by)) ?? null;
  const path = project ? projectPath(project) : null;
  const server_id = String(body.server_id);
  const serverPath = names.openable.has(server_id) ? `/servers/manage/${server_id}` : null;
  const values = {
    count,
    shown: exactNumber(messages, count),
    project: bidiIsolated(project?.title ?? ''),
    organization: bidiIsolated(organization?.name ?? ''),
    person: bidiIsolated(person?.username ?? ''),
  };
  const line: NotificationLine = {
    key,
    type,
    text: '',
    href: path,
    project_icon: project?.icon_url,
    person: null,
    created: newest.created,
    is_unread: unread > 0,
    versions: [],
    more_versions: 0,
    role: null,
    invitation: null,
  };
  const invited = (to: string | undefined) => ({
    person,
    role: typeof body.role === 'string' && body.role !== '' ? body.role : null,
    invitation:
      to !== undefined && names.invitations.has(String(body.team_id))
        ? { of: 'team' as const, id: String(body.team_id), name: to }
        : null,
  });
  switch (type) {
    case 'project_update': {
      const known = project
        ? notifications.flatMap(({ body: of }) => names.versions.get(String(of.version_id)) ?? [])
        : [];
      const versions = known.slice(0, named_versions).map((version) => ({
        text: version.version_number,
        href: `${path}/version/${addressEnd(version, version.by_id)}`,
      }));
      const text = t(project ? 'notifications.updates' : 'notifications.updates_hidden', values);
      return { ...line, text, versions, more_versions: Math.max(0, count - versions.length) };
    }
    case 'new_project': {
      const known = person ? 'notifications.new_project' : 'notifications.new_project_unnamed';
      return { ...line, text: t(project ? known : 'notifications.new_project_hidden', values) };
    }
    case 'team_invite': {
      const by = person ? 'notifications.invited_by' : 'notifications.invited';
      const text = t(project ? by : 'notifications.invitation_gone', values);
      return { ...line, text, ...invited(project?.title) };
    }
    case 'organization_invite': {
      const by = person ? 'notifications.organization_invited_by' : 'notifications.organization_invited';
      const text = t(organization ? by : 'notifications.invitation_gone', values);
      const href = organization ? organizationPath(organization.slug) : null;
      return { ...line, text, href, ...invited(organization?.name) };
    }
    case 'server_invite': {
      const server = names.servers.get(String(body.server_id));
      const href = '/servers/manage';
      if (!server) return { ...line, text: t('notifications.invitation_gone'), href, person };
      const by = bidiIsolated(person?.username ?? server.owner);
      const text = t('notifications.server_invited_by', { person: by, server: bidiIsolated(server.server) });
      const role = t(`server_access.role_${server.role}`);
      return {
        ...line,
        text,
        href,
        person,
        role,
        invitation: { of: 'server', id: server.server_id, name: server.server },
      };
    }
    case 'status_change': {
      const known = statusTexts[String(body.new_status)] ?? 'notifications.status_other';
      return { ...line, text: t(project ? known : 'notifications.status_hidden', values) };
    }
    case 'moderator_message': {
      if (body.report_id) {
        const href = `/dashboard/report/${body.report_id}`;
        return { ...line, text: t('notifications.report_messages', values), href };
      }
      const text = t(project ? 'notifications.messages' : 'notifications.messages_hidden', values);
      return { ...line, text, href: path && `${path}/moderation` };
    }
    case 'server_alert': {
      const newest = alertSentence(messages, {
        ...{ name: bidiIsolated(String(body.name)), kind: String(body.kind), state: String(body.state) },
        bound: typeof body.bound === 'number' ? body.bound : null,
      });
      const text = count > 1 ? t('server_alerts.and_more', { count: count - 1, newest }) : newest;
      return { ...line, text, href: serverPath && `${serverPath}/options/alerts` };
    }
    case 'server_lost': {
      const said = {
        ...(body as unknown as NotificationBodies['server_lost']),
        name: bidiIsolated(String(body.name)),
      };
      return { ...line, text: lossSentence(messages, said), href: serverPath };
    }
    case 'server_port': {
      const [name, before, after] = [body.name, body.before, body.after].map((one) =>
        bidiIsolated(String(one)),
      );
      return { ...line, text: t('notifications.server_port', { name, before, after }), href: serverPath };
    }
    case 'billing': {
      const said = body as unknown as NotificationBodies['billing'];
      const { amount_minor, currency } = said;
      const names = {
        amount: amount_minor === null ? '' : amountText(messages, amount_minor, currency ?? 'USD'),
        service: said.service === null ? t('plus.title') : bidiIsolated(said.service),
      };
      // what is left of a server that is gone are its payments
      const is_gone = said.server_id !== null && serverPath === null;
      const href = is_gone ? '/settings/billing/charges' : billingLink(said);
      return { ...line, text: billingSentence(messages, said, names), href };
    }
    case 'takedown': {
      if (body.state === 'placed') {
        const text = t(project ? 'notifications.taken_down' : 'notifications.taken_down_hidden', values);
        return { ...line, text, href: path && `${path}/moderation` };
      }
      return {
        ...line,
        text: t(project ? 'notifications.shown_again' : 'notifications.shown_again_hidden', values),
      };
    }
    case 'payout_requested': {
      const amount = amountText(messages, Number(body.amount_minor), 'USD');
      return { ...line, text: t('notifications.payout_requested', { amount }), href: transfers_path };
    }
    case 'payout_settled':
      return {
        ...line,
        text: t(payoutTexts[String(body.state)] ?? 'notifications.payout_failed'),
        href: transfers_path,
      };
    case 'share_changed': {
      const owner = project ? values.project : organization && values.organization;
      if (!owner) return { ...line, text: t('notifications.share_hidden') };
      return { ...line, text: shareSentence(messages, owner, body), href: '/dashboard/revenue' };
    }
    case 'webhook_off': {
      if (body.server_id) {
        const of = { name: bidiIsolated(String(body.name)), owner: bidiIsolated(String(body.server_name)) };
        const href = serverPath && `${serverPath}/options/alerts`;
        return { ...line, text: t('notifications.webhook_off', of), href };
      }
      const owner = project ? values.project : values.organization;
      const settings = project
        ? projectSettingsPath(project, 'webhooks')
        : organization && organizationSettingsPath(organization, 'webhooks');
      if (!settings) return { ...line, text: t('notifications.webhook_off_hidden') };
      const text = t('notifications.webhook_off', { name: bidiIsolated(String(body.name)), owner });
      return { ...line, text, href: `${settings}?webhook=${body.webhook_id}` };
    }
  }
}
