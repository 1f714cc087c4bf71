import { fixedTexts } from './fixed-texts.ts';
import type { ChosenType, NotificationBodies } from './rules.ts';
import {
  type ApiText,
  type NotificationTexts,
  type Subject,
  subjectValues,
  type TextValues,
  type ValueWriter,
} from './text-row.ts';

/** The page with all notifications of a user. */
export const list_path = '/dashboard/notifications';
const revenue_path = '/dashboard/revenue';
/** Versions that a sentence names. */
const named_versions = 3;

const invitation = (team_id: string, user_id: string): NonNullable<ApiText['actions']> => [
  { name: 'Accept', action_route: ['POST', `team/${team_id}/join`] },
  { name: 'Deny', action_route: ['DELETE', `team/${team_id}/members/${user_id}`] },
];

/** What has a message of its own; anything else has a general one. */
const statuses = [
  'approved',
  'unlisted',
  'private',
  'draft',
  'processing',
  'rejected',
  'withheld',
  'scheduled',
];
const alertKinds = [
  'cpu',
  'memory',
  'disk',
  'tick',
  'crash_loop',
  'node_down',
  'backup_failed',
  'schedule_failed',
];

function alertText({ kind, state }: NotificationBodies['server_alert']): string {
  if (state === 'test') return 'server_alerts.say_test';
  if (!alertKinds.includes(kind)) return 'server_alerts.say_other';
  return state === 'ended' ? `server_alerts.end_${kind}` : `server_alerts.say_${kind}`;
}

const noValues = (): TextValues => ({});
const ownerName = ({ project, organization }: Subject): string => project?.title ?? organization?.name ?? '';
const projectAddress = ({ paths }: Subject): string | null => paths.project;
const ownerAddress = ({ paths }: Subject): string | null => paths.project ?? paths.organization;
const alertsAddress = ({ paths }: Subject): string | null => paths.server && `${paths.server}/options/alerts`;
const messageAddress = ({ body, paths }: Subject<'moderator_message'>): string | null =>
  body.report_id ? `/dashboard/report/${body.report_id}` : paths.project;
const webhooksAddress = ({ body, paths }: Subject<'webhook_off'>): string | null => {
  const owner = paths.project ?? paths.organization;
  if (body.server_id) return paths.server && `${paths.server}/options/alerts`;
  return owner && `${owner}/settings/webhooks`;
};

/** "2.4.0, 2.3.1 and 4 more": the newest versions by their numbers, the others counted. */
function versionList({ versions }: Subject, write: ValueWriter): string {
  const newest = versions.slice(0, named_versions).map(({ version_number }) => write.name(version_number));
  const left = versions.length - newest.length;
  return write.list(
    left > 0 ? [...newest, write.text('notifications.more_versions', { count: left })] : newest,
  );
}

const chosenTexts: Pick<NotificationTexts, ChosenType> = {
  team_invite: {
    api: ({ body }, user_id) => ({
      name: 'Invitation to a project',
      text: `You’re invited to join the team of a project. Role: ${body.role}`,
      actions: invitation(body.team_id, user_id),
    }),
    text: ({ project, person }) => project && (person ? 'notifications.invited_by' : 'notifications.invited'),
    hidden: () => 'notifications.invitation_gone',
    values: subjectValues,
    address: projectAddress,
  },
  organization_invite: {
    api: ({ body }, user_id) => ({
      name: 'Invitation to an organization',
      text: `You’re invited to join an organization. Role: ${body.role}`,
      actions: invitation(body.team_id, user_id),
    }),
    text: ({ organization, person }) =>
      organization &&
      (person ? 'notifications.organization_invited_by' : 'notifications.organization_invited'),
    hidden: () => 'notifications.invitation_gone',
    values: subjectValues,
    address: ({ paths }) => paths.organization,
  },
  server_invite: {
    api: ({ body }) => ({
      name: 'Invitation to a server',
      text: `You’re invited to a server. Role: ${body.role}`,
    }),
    text: (subject) => subject.invitation && 'notifications.server_invited_by',
    hidden: () => 'notifications.invitation_gone',
    values: ({ invitation: to, person }, write) => ({
      person: write.name(person?.username ?? to?.owner ?? ''),
      server: write.name(to?.server ?? ''),
    }),
    address: () => '/servers/manage',
    // the page where it is answered
    mail: { address: () => list_path },
  },
  moderator_message: {
    api: (subject) => ({
      name: 'Message from a moderator',
      text: subject.body.report_id
        ? 'There’s a new message about your report.'
        : 'A moderator wrote to you about your project.',
      link: messageAddress(subject),
    }),
    text: ({ body, project }) =>
      body.report_id ? 'notifications.report_messages' : project && 'notifications.messages',
    hidden: () => 'notifications.messages_hidden',
    values: subjectValues,
    address: (subject) => {
      const path = messageAddress(subject);
      return subject.body.report_id ? path : path && `${path}/moderation`;
    },
    mail: { address: messageAddress },
  },
  status_change: {
    api: ({ body: { old_status, new_status } }) => ({
      name: 'Project status changed',
      text: `The status of your project changed from ${old_status} to ${new_status}.`,
    }),
    text: ({ project, body: { new_status: now } }) =>
      project && (statuses.includes(now) ? `notifications.status_${now}` : 'notifications.status_other'),
    hidden: () => 'notifications.status_hidden',
    values: subjectValues,
    address: projectAddress,
  },
  server_alert: {
    api: () => ({
      name: 'Alert of a game server',
      text: 'There’s news about the health of a game server of yours.',
    }),
    text: ({ body }) => alertText(body),
    values: ({ body: { name, bound }, count }, write) => ({
      count,
      name: write.name(name),
      bound: typeof bound === 'number' ? write.number(bound) : '',
    }),
    address: alertsAddress,
    more: 'server_alerts.and_more',
    alone: { title: ({ count }) => (count > 1 ? 'server_alerts.several' : null) },
  },
  webhook_off: {
    api: (subject) => ({
      name: 'Webhook turned off',
      text: 'A webhook was turned off because its calls didn’t arrive.',
      link: webhooksAddress(subject),
    }),
    text: ({ body, project, organization }) =>
      body.server_id || project || organization ? 'notifications.webhook_off' : null,
    hidden: () => 'notifications.webhook_off_hidden',
    values: (subject, write) => {
      const { server_id, name, server_name = '' } = subject.body;
      const owner = write.name(server_id ? server_name : ownerName(subject));
      return { name: write.name(name), owner, title: owner };
    },
    address: (subject) => {
      const path = webhooksAddress(subject);
      return path && !subject.body.server_id ? `${path}?webhook=${subject.body.webhook_id}` : path;
    },
    alone: { title: () => 'webhooks.off_title', text: 'webhooks.off_text' },
  },
  project_transferred: {
    text: ({ project }) => project && 'notifications.transferred',
    values: subjectValues,
    address: projectAddress,
  },
  share_changed: {
    api: (subject) => ({
      name: 'Share of the revenue changed',
      text: 'Your share of the revenue of a team changed.',
      link: ownerAddress(subject),
    }),
    text: ({ project, organization }) => (project ?? organization) && 'notifications.share_changed',
    hidden: () => 'notifications.share_hidden',
    values: (subject, write) => ({
      owner: write.name(ownerName(subject)),
      before: write.percent(Number(subject.body.before)),
      after: write.percent(Number(subject.body.after)),
    }),
    address: (subject) => ownerAddress(subject) && revenue_path,
  },
  payout_available: {
    text: () => 'notifications.payout_available',
    values: noValues,
    address: () => revenue_path,
  },
  report_status_updated: {
    text: ({ body }) => (body.closed ? 'notifications.report_closed' : 'notifications.report_reopened'),
    values: noValues,
    address: () => list_path,
  },
  report_submitted: {
    text: () => 'notifications.report_received',
    values: subjectValues,
    address: () => list_path,
  },
  new_project: {
    api: () => ({ name: 'New project', text: 'Someone you follow published a project.' }),
    text: ({ project, person }) =>
      project && (person ? 'notifications.new_project' : 'notifications.new_project_unnamed'),
    hidden: () => 'notifications.new_project_hidden',
    values: subjectValues,
    address: projectAddress,
  },
  project_update: {
    api: ({ body, paths }) => ({
      name: 'New version',
      text: 'A project you follow has a new version.',
      link: `${paths.project}/version/${body.version_id}`,
    }),
    text: ({ project }) => project && 'notifications.updates',
    hidden: () => 'notifications.updates_hidden',
    values: subjectValues,
    address: projectAddress,
    mail: {
      text: ({ versions }) => (versions.length > 0 ? 'notifications.released' : null),
      values: (subject, write) => ({
        count: subject.versions.length,
        versions: versionList(subject, write),
      }),
      address: ({ paths, versions: [newest, ...others] }) =>
        paths.project && newest
          ? `${paths.project}/${others.length > 0 ? 'versions' : `version/${newest.path_end}`}`
          : null,
    },
    alone: { title: () => 'notifications.updates' },
  },
};

/**
 * What each type of notification says, wherever it says it: on a page, in a mail, in a call of a webhook and to programs. Keys are
 * those of `content/locales`; the texts of `api` are a part of the interface, in English. A row stands where a mail names it: what
 * waits for an answer first, what one only may want to know last. Source: api-behaviours §9.
 */
export const notificationTexts: NotificationTexts = { ...chosenTexts, ...fixedTexts };
