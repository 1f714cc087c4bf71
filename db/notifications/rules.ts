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

/** A notification to write: its type and what is about, with the types' fields. */
export type NewNotification = {
  [T in NotificationType]: { type: T; body: NotificationBodies[T] };
}[NotificationType];
