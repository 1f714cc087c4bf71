import { Webhook as Signer } from 'standardwebhooks';
import { messages } from '#content/messages.ts';
import type { OutgoingCall } from '#db/webhooks/outbox.ts';
import type { WebhookEvent } from '#db/webhooks/rules.ts';

/** A call as it goes over the wire. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

interface Body {
  type: WebhookEvent | 'test';
  timestamp: string;
  data: {
    project?: { title: string; url: string };
    organization?: { name: string; url: string };
    version?: { id: string; version_number?: string };
    from?: string;
    to?: string;
  };
}

/**
 * Headers and body of a call. Signed as Standard Webhooks say, by every secret that is valid now; Discord gets a message
 * in its form, without a signature, in the language of the site and mentioning nobody.
 */
export function writeCall(
  { id, format, body, name }: OutgoingCall,
  secrets: readonly string[],
  now: Date,
): Call {
  const shared = { 'content-type': 'application/json', 'user-agent': 'Cairn-Webhooks/1' };
  if (format === 'discord')
    return { headers: shared, body: JSON.stringify(discordMessage(JSON.parse(body) as Body, name)) };
  const signature = secrets.map((secret) => new Signer(secret).sign(id, now, body)).join(' ');
  const headers = {
    ...shared,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  return { headers, body };
}

function discordMessage({ type, timestamp, data }: Body, name: string) {
  const { t } = messages('en-US');
  const title = data.project?.title ?? data.organization?.name ?? name;
  const url =
    data.version && data.project
      ? `${data.project.url}/version/${data.version.id}`
      : (data.project ?? data.organization)?.url;
  const version = data.version?.version_number ?? '';
  const { from = '', to = '' } = data;
  const texts = {
    test: t('webhooks.say_test', { name }),
    'version.published': t('webhooks.say_version_published', { version }),
    'version.edited': t('webhooks.event_version_edited'),
    'version.deleted': t('webhooks.event_version_deleted'),
    'project.status_changed': t('webhooks.say_status_changed', { from, to }),
    'project.edited': t('webhooks.event_project_edited'),
    'gallery.changed': t('webhooks.event_gallery_changed'),
    'members.changed': t('webhooks.event_members_changed'),
  };
  const embed = { title: title.slice(0, 256), url, description: texts[type].slice(0, 4096), timestamp };
  return { username: 'Cairn', embeds: [embed], allowed_mentions: { parse: [] } };
}
