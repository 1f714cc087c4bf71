import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';

/** What happened to money of a user, or to what it pays for. */
export const billingKinds = [
  'receipt',
  'refund',
  'payment_failed',
  'payment_unconfirmed',
  'renewal_soon',
  'server_ready',
  'suspended',
  'deletion_soon',
  'cancelled',
  'ended',
] as const;
export type BillingKind = (typeof billingKinds)[number];

/** Body fields of each notification, besides `type`. Source: api-behaviours §9. */
export interface NotificationBodies {
  project_update: { project_id: string; version_id: string };
  /** Somebody whom the user follows published a project. */
  new_project: { project_id: string; published_by: string };
  team_invite: { project_id: string; team_id: string; invited_by: string; role: string };
  organization_invite: { organization_id: string; invited_by: string; team_id: string; role: string };
  server_invite: { server_id: string; invited_by: string; role: string };
  status_change: { project_id: string; old_status: string; new_status: string };
  moderator_message: {
    thread_id: string;
    message_id: string;
    project_id: string | null;
    report_id: string | null;
  };
  /** The webhook of a project or an organization; `name` is what it was called. */
  webhook_off: {
    webhook_id: string;
    name: string;
    project_id: string | null;
    organization_id: string | null;
    /** Of a game server instead. */
    server_id?: string;
    server_name?: string;
  };
  /**
   * An alert of a game server; `name` is what the server was called. `value` is what was measured, `bound` what it crossed. A
   * test says nothing of its kind.
   */
  server_alert: {
    server_id: string;
    name: string;
    alert_id: string;
    kind: string;
    state: 'began' | 'ended' | 'test';
    value: number | null;
    bound: number | null;
  };
  /**
   * The node of a game server was lost: the server was restored on another one or is lost. `state_of` is the time of the backup
   * it was restored from, or could be; null without one. `address` is where players reach it now.
   */
  server_lost: {
    server_id: string;
    name: string;
    outcome: 'rescued' | 'lost';
    state_of: string | null;
    address: string | null;
  };
  project_transferred: {
    project_id: string;
    new_owner_user_id: string | null;
    new_owner_organization_id: string | null;
  };
  /** What somebody gets of the revenue of a project, or of those of an organization, changed: from 0 to 1. */
  share_changed: { project_id?: string; organization_id?: string; before: number; after: number };
  /**
   * Money moved, or something that is paid for ends. `service` is the name of the server; it and its id are null for Plus. The
   * amount is in minor units. `at` (RFC 3339) is when it ends, is deleted or is charged, as its kind says.
   */
  billing: {
    kind: BillingKind;
    service: string | null;
    server_id: string | null;
    amount_minor: number | null;
    currency: string | null;
    at: string | null;
  };
  /** The port of a game server changed; addresses as players type them. */
  server_port: { server_id: string; name: string; before: string; after: string };
  /** A project was taken down for a legal reason, or is shown again. */
  takedown: { project_id: string; state: 'placed' | 'ended' };
  report_submitted: { report_id: string };
  report_status_updated: { report_id: string; closed: boolean };
  /** Revenue of a month (its first day) can be withdrawn from now on. */
  payout_available: { period: string };
  /** Somebody asked for a withdrawal; minor units of USD. */
  payout_requested: { payout_id: string; amount_minor: number };
  /** A withdrawal arrived, or its money is back: it failed or was canceled. */
  payout_settled: { payout_id: string; state: 'success' | 'failed' | 'cancelled' };
}
export type NotificationType = keyof NotificationBodies;

/** When a notification is mailed. */
export const mailTimes = ['now', 'daily', 'weekly', 'off'] as const;
export type MailTime = (typeof mailTimes)[number];

interface Delivery {
  /** Whether the site shows it: as users choose (shown unless they turn it off), in any case, or never. */
  site: 'chosen' | 'always' | 'never';
  /** When it is mailed, unless users choose otherwise. */
  mail: MailTime;
}

/**
 * Where each notification goes. What waits for an answer is always on the site. Updates of followed projects, and new
 * projects of followed people, are not mailed unless somebody asks for it: following is a click and may be hundreds of projects, and a mail nobody asked for is
 * the first thing people call spam. What is about one's own projects and reports is rare and may be urgent, so it is
 * mailed at once; that a report arrived is already said on the page it was sent from. Those that no screen shows are not among the
 * types that clients of the API know. Mails about the security of an account are no notifications: nobody turns them off. Nor does
 * anybody turn off what is about money, the end of something paid for, a takedown or a lost server: their mails are written beside
 * the notification.
 * Source: api-behaviours §9; wishes §1.
 */
export const deliveries: Record<NotificationType, Delivery> = {
  project_update: { site: 'chosen', mail: 'off' },
  new_project: { site: 'chosen', mail: 'off' },
  team_invite: { site: 'always', mail: 'now' },
  organization_invite: { site: 'always', mail: 'now' },
  server_invite: { site: 'always', mail: 'now' },
  status_change: { site: 'chosen', mail: 'now' },
  moderator_message: { site: 'always', mail: 'now' },
  webhook_off: { site: 'chosen', mail: 'now' },
  server_alert: { site: 'chosen', mail: 'now' },
  server_lost: { site: 'always', mail: 'off' },
  server_port: { site: 'always', mail: 'off' },
  billing: { site: 'always', mail: 'off' },
  takedown: { site: 'always', mail: 'off' },
  project_transferred: { site: 'never', mail: 'now' },
  share_changed: { site: 'always', mail: 'now' },
  report_submitted: { site: 'never', mail: 'off' },
  report_status_updated: { site: 'never', mail: 'now' },
  payout_available: { site: 'never', mail: 'now' },
  payout_requested: { site: 'always', mail: 'off' },
  payout_settled: { site: 'always', mail: 'off' },
};
/** Those that nobody turns off: they are on the site, and have a mail of their own. */
const fixedTypes = [
  'server_lost',
  'server_port',
  'billing',
  'takedown',
  'payout_requested',
  'payout_settled',
] as const satisfies readonly NotificationType[];
export type FixedType = (typeof fixedTypes)[number];
export const isFixed = (type: NotificationType): type is FixedType =>
  (fixedTypes as readonly string[]).includes(type);

/** Those that users choose about. */
export type ChosenType = Exclude<NotificationType, FixedType>;
export const chosenTypes = Object.keys(deliveries).filter(
  (type) => !isFixed(type as NotificationType),
) as ChosenType[];

/** The types that screens of the site show, in the order of their filters. */
export const siteTypes = [
  'project_update',
  'new_project',
  'team_invite',
  'organization_invite',
  'server_invite',
  'status_change',
  'moderator_message',
  'webhook_off',
  'server_alert',
  'server_lost',
  'server_port',
  'billing',
  'takedown',
  'share_changed',
  'payout_requested',
  'payout_settled',
] as const satisfies readonly NotificationType[];
export type SiteType = (typeof siteTypes)[number];
export const isSiteType = (type: string | null): type is SiteType =>
  (siteTypes as readonly (string | null)[]).includes(type);

/** A notification to write: its type and what is about, with the types' fields. */
export type NewNotification = {
  [T in NotificationType]: { type: T; body: NotificationBodies[T] };
}[NotificationType];

const isFor = (user_id: string, actor: Actor): boolean => actor.user_id === user_id || isAdmin(actor);

/** Notifications are for their user; moderators have no part in them. Source: api-v2 §8; api-behaviours §4. */
export const whyNotSeeNotification = (user_id: string, actor: Actor): RefusalCode | null =>
  isFor(user_id, actor) ? null : 'not_found';

/** Marking as read and deleting. Source: api-v2 §8 (foreign 401). */
export const whyNotChangeNotification = (user_id: string, actor: Actor): RefusalCode | null =>
  isFor(user_id, actor) ? null : 'not_yours';

/** The list of a user. Source: api-v2 §7; api-behaviours §4. */
export const whyNotListNotifications = (user_id: string, actor: Actor): RefusalCode | null =>
  isFor(user_id, actor) ? null : 'not_yours';
