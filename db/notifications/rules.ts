import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin } from '../people/rules.ts';

/** Body fields of each notification that the site shows, besides `type`. Source: api-behaviours §9. */
export interface NotificationBodies {
  project_update: { project_id: string; version_id: string };
  team_invite: { project_id: string; team_id: string; invited_by: string; role: string };
  organization_invite: { organization_id: string; invited_by: string; team_id: string; role: string };
  status_change: { project_id: string; old_status: string; new_status: string };
  moderator_message: {
    thread_id: string;
    message_id: string;
    project_id: string | null;
    report_id: string | null;
  };
}
export type NotificationType = keyof NotificationBodies;

/** The types that screens of the site show, in the order of their filters. */
export const siteTypes = [
  'project_update',
  'team_invite',
  'organization_invite',
  'status_change',
  'moderator_message',
] as const satisfies readonly NotificationType[];

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
