import type { MessageKey } from '#content/keys.ts';
import type { WebhookEvent } from '#db/messages/webhooks/rules.ts';

/** The name of each event on screens. */
export const eventTexts: Record<WebhookEvent, MessageKey> = {
  'version.published': 'webhooks.event_version_published',
  'version.edited': 'webhooks.event_version_edited',
  'version.deleted': 'webhooks.event_version_deleted',
  'project.status_changed': 'webhooks.event_status_changed',
  'project.edited': 'webhooks.event_project_edited',
  'gallery.changed': 'webhooks.event_gallery_changed',
  'members.changed': 'webhooks.event_members_changed',
};

/** Why a call did not arrive, by `problem` of its delivery. */
export const problemTexts: Record<string, MessageKey> = {
  redirect: 'webhooks.problem_redirect',
  status: 'webhooks.problem_status',
  not_public: 'webhooks.problem_not_public',
  too_slow: 'webhooks.problem_too_slow',
  unreachable: 'webhooks.problem_unreachable',
  key: 'webhooks.problem_key',
};
