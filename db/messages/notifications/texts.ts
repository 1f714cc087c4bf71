import type { BillingKind, NotificationBodies, SiteType } from './rules.ts';

/** What a client displays of a notification, in en-US. It names no project: that may be hidden by now. */
export interface NotificationText {
  name: string;
  text: string;
  link: string;
  actions: Array<{ name: string; action_route: [method: string, path: string] }>;
}

/** A stored notification. Types that this version does not know have no text of their own. */
interface Stored {
  user_id: string;
  type: string;
  body: object;
}

const invitation = (team_id: string, user_id: string): NotificationText['actions'] => [
  { name: 'Accept', action_route: ['POST', `team/${team_id}/join`] },
  { name: 'Deny', action_route: ['DELETE', `team/${team_id}/members/${user_id}`] },
];

const billingTexts: Readonly<Record<BillingKind, string>> = {
  receipt: 'A payment of yours succeeded.',
  refund: 'A payment of yours was refunded.',
  payment_failed: 'A payment of yours failed.',
  payment_unconfirmed: 'Your bank wants you to confirm a payment.',
  renewal_soon: 'A subscription of yours renews soon.',
  server_ready: 'A game server of yours is ready.',
  suspended: 'A game server of yours was suspended.',
  deletion_soon: 'A game server of yours is deleted soon.',
  cancelled: 'A subscription of yours was canceled.',
  ended: 'A subscription of yours has ended.',
};

/** The page about something that is paid for: where its reader pays, or what is left of it. */
export function billingLink({
  kind,
  server_id,
}: Pick<NotificationBodies['billing'], 'kind' | 'server_id'>): string {
  if (kind === 'receipt' || kind === 'refund' || kind === 'ended') return '/settings/billing/charges';
  if (server_id === null) return '/settings/billing';
  return kind === 'server_ready'
    ? `/servers/manage/${server_id}`
    : `/servers/manage/${server_id}/options/billing`;
}

const moderatorLink = ({ project_id, report_id }: NotificationBodies['moderator_message']): string => {
  if (project_id) return `/project/${project_id}`;
  return report_id ? `/dashboard/report/${report_id}` : '#';
};

const texts: {
  [T in SiteType]: (body: NotificationBodies[T], user_id: string) => NotificationText;
} = {
  project_update: ({ project_id, version_id }) => ({
    name: 'New version',
    text: 'A project you follow has a new version.',
    link: `/project/${project_id}/version/${version_id}`,
    actions: [],
  }),
  new_project: ({ project_id }) => ({
    name: 'New project',
    text: 'Someone you follow published a project.',
    link: `/project/${project_id}`,
    actions: [],
  }),
  team_invite: ({ project_id, team_id, role }, user_id) => ({
    name: 'Invitation to a project',
    text: `You’re invited to join the team of a project. Role: ${role}`,
    link: `/project/${project_id}`,
    actions: invitation(team_id, user_id),
  }),
  organization_invite: ({ organization_id, team_id, role }, user_id) => ({
    name: 'Invitation to an organization',
    text: `You’re invited to join an organization. Role: ${role}`,
    link: `/organization/${organization_id}`,
    actions: invitation(team_id, user_id),
  }),
  server_invite: ({ role }) => ({
    name: 'Invitation to a server',
    text: `You’re invited to a server. Role: ${role}`,
    link: '/servers/manage',
    actions: [],
  }),
  status_change: ({ project_id, old_status, new_status }) => ({
    name: 'Project status changed',
    text: `The status of your project changed from ${old_status} to ${new_status}.`,
    link: `/project/${project_id}`,
    actions: [],
  }),
  moderator_message: (body) => ({
    name: 'Message from a moderator',
    text: body.report_id
      ? 'There’s a new message about your report.'
      : 'A moderator wrote to you about your project.',
    link: moderatorLink(body),
    actions: [],
  }),
  share_changed: ({ project_id, organization_id }) => ({
    name: 'Share of the revenue changed',
    text: 'Your share of the revenue of a team changed.',
    link: project_id ? `/project/${project_id}` : `/organization/${organization_id}`,
    actions: [],
  }),
  server_alert: ({ server_id }) => ({
    name: 'Alert of a game server',
    text: 'There’s news about the health of a game server of yours.',
    link: `/servers/manage/${server_id}/options/alerts`,
    actions: [],
  }),
  server_lost: ({ server_id, outcome }) => ({
    name: outcome === 'rescued' ? 'Game server restored' : 'Game server lost',
    text:
      outcome === 'rescued'
        ? 'The machine of a game server of yours was lost. The server was restored on another one from a backup.'
        : 'A game server of yours was lost with its machine.',
    link: `/servers/manage/${server_id}`,
    actions: [],
  }),
  server_port: ({ server_id }) => ({
    name: 'Address of a game server',
    text: 'The address of a game server of yours changed. Tell your players.',
    link: `/servers/manage/${server_id}`,
    actions: [],
  }),
  billing: ({ kind, server_id }) => ({
    name: 'Billing',
    text: billingTexts[kind] ?? 'There’s news about what you pay for.',
    link: billingLink({ kind, server_id }),
    actions: [],
  }),
  takedown: ({ project_id, state }) => ({
    name: state === 'placed' ? 'Project taken down' : 'Project shown again',
    text:
      state === 'placed'
        ? 'A project of yours was taken down for a legal reason. You can answer.'
        : 'A project of yours that was taken down is shown again.',
    link: `/project/${project_id}${state === 'placed' ? '/moderation' : ''}`,
    actions: [],
  }),
  payout_requested: () => ({
    name: 'Withdrawal requested',
    text: 'A withdrawal of your balance was requested.',
    link: '/dashboard/revenue/transfers',
    actions: [],
  }),
  payout_settled: ({ state }) => ({
    name: state === 'success' ? 'Withdrawal paid' : 'Withdrawal returned',
    text:
      state === 'success'
        ? 'Your withdrawal was paid.'
        : 'Your withdrawal wasn’t paid, and its money is back in your balance.',
    link: '/dashboard/revenue/transfers',
    actions: [],
  }),
  webhook_off: ({ project_id, organization_id, server_id }) => ({
    name: 'Webhook turned off',
    text: 'A webhook was turned off because its calls didn’t arrive.',
    link: server_id
      ? `/servers/manage/${server_id}/options/alerts`
      : `${project_id ? `/project/${project_id}` : `/organization/${organization_id}`}/settings/webhooks`,
    actions: [],
  }),
};

const isKnown = (type: string): type is SiteType => Object.hasOwn(texts, type);

/** The type and the text of a stored notification. Source: api-behaviours §9. */
export function textOf({ user_id, type, body }: Stored): NotificationText & { type: SiteType | 'unknown' } {
  if (!isKnown(type)) return { type: 'unknown', name: '', text: '', link: '#', actions: [] };
  const write = texts[type] as (body: object, user_id: string) => NotificationText;
  return { type, ...write(body, user_id) };
}
