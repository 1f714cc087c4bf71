import {
  billingKinds,
  type NotificationBodies,
  type NotificationType,
} from '../messages/notifications/rules.ts';

/** What notifications of a test are about. */
export interface NotificationIds {
  project_id: string;
  version_id: string;
  team_id: string;
  organization_id: string;
  server_id: string;
  report_id: string;
  /** Who invites, and publishes. */
  person_id: string;
}

/** Notifications of each type, one for each way that it is said and leads somewhere; `at` is when (RFC 3339). */
export function notificationBodies(
  ids: NotificationIds,
  at: string,
): { [T in NotificationType]: Array<NotificationBodies[T]> } {
  const { project_id, version_id, team_id, organization_id, server_id, report_id, person_id } = ids;
  const message = { thread_id: 'Thread01', message_id: 'Message1', project_id: null, report_id: null };
  const webhook = { webhook_id: 'Webhook1', name: 'Chat', project_id: null, organization_id: null };
  const server = { server_id, name: 'Valley' };
  const payout_id = 'Payout01';
  return {
    project_update: [{ project_id, version_id }],
    new_project: [{ project_id, published_by: person_id }],
    team_invite: [{ project_id, team_id, invited_by: person_id, role: 'Artist' }],
    organization_invite: [{ organization_id, invited_by: person_id, team_id, role: 'Artist' }],
    server_invite: [{ server_id, invited_by: person_id, role: 'viewer' }],
    status_change: ['approved', 'rejected', 'archived'].map((new_status) => ({
      project_id,
      old_status: 'processing',
      new_status,
    })),
    moderator_message: [
      { ...message, project_id },
      { ...message, report_id },
    ],
    webhook_off: [
      { ...webhook, project_id },
      { ...webhook, organization_id },
      { ...webhook, server_id, server_name: 'Valley' },
    ],
    server_alert: (['began', 'ended', 'test'] as const).map((state) => ({
      ...server,
      alert_id: 'Alert001',
      kind: 'cpu',
      state,
      value: 97,
      bound: 90,
    })),
    server_lost: [
      { ...server, outcome: 'rescued', state_of: at, address: 'play.example:25600' },
      { ...server, outcome: 'lost', state_of: at, address: null },
      { ...server, outcome: 'lost', state_of: null, address: null },
    ],
    server_port: [{ ...server, before: 'play.example:25600', after: 'play.example:25601' }],
    billing: [server_id, null].flatMap((of) =>
      billingKinds.map((kind) => ({
        kind,
        service: of && 'Valley',
        server_id: of,
        amount_minor: 1200,
        currency: 'USD',
        at,
      })),
    ),
    takedown: [
      { project_id, state: 'placed' },
      { project_id, state: 'ended' },
    ],
    project_transferred: [{ project_id, new_owner_user_id: person_id, new_owner_organization_id: null }],
    share_changed: [
      { project_id, before: 0.4, after: 0.125 },
      { organization_id, before: 0.5, after: 1 },
    ],
    report_submitted: [{ report_id }],
    report_status_updated: [
      { report_id, closed: true },
      { report_id, closed: false },
    ],
    payout_available: [{ period: '2026-10-01' }],
    payout_requested: [{ payout_id, amount_minor: 1000 }],
    payout_settled: (['success', 'failed', 'cancelled'] as const).map((state) => ({ payout_id, state })),
  };
}
