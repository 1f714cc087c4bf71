import { Webhook as Signer } from 'standardwebhooks';
import { messages } from '#content/messages.ts';
import { valueWriter } from '#content/value-writer.ts';
import { sentenceOfBody } from '#db/messages/notifications/sentence.ts';
import type { OutgoingCall } from '#db/messages/webhooks/outbox.ts';
import type { ServerWebhookEvent, WebhookEvent } from '#db/messages/webhooks/rules.ts';

/** A call as it goes over the wire. */
export interface Call {
  headers: Record<string, string>;
  body: string;
}

interface Body {
  type: WebhookEvent | ServerWebhookEvent | 'test';
  timestamp: string;
  data: {
    project?: { title: string; url: string };
    organization?: { name: string; url: string };
    server?: { id: string; name: string };
    alert?: { kind: string; bound: number | null };
    state_of?: string | null;
    address?: string | null;
    version?: { id: string; version_number?: string };
    from?: string;
    to?: string;
  };
}

const shared = { 'content-type': 'application/json', 'user-agent': 'Cairn-Webhooks/1' };

/** A call signed as Standard Webhooks say, by every secret that is valid now. */
export function signedCall(id: string, body: string, secrets: readonly string[], now: Date): Call {
  const signature = secrets.map((secret) => new Signer(secret).sign(id, now, body)).join(' ');
  const headers = {
    ...shared,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  return { headers, body };
}

interface Embed {
  title: string;
  url?: string | undefined;
  text: string;
  timestamp: string;
}

/** A message in the form of Discord: without a signature, and mentioning nobody. */
export function discordCall({ title, url, text, timestamp }: Embed): Call {
  const embed = { title: title.slice(0, 256), url, description: text.slice(0, 4096), timestamp };
  const body = { username: 'Cairn', embeds: [embed], allowed_mentions: { parse: [] } };
  return { headers: shared, body: JSON.stringify(body) };
}

/** Headers and body of a call. Discord gets a message in its form, in the language of the site. */
export function writeCall(
  { id, format, body, name }: OutgoingCall,
  secrets: readonly string[],
  now: Date,
): Call {
  return format === 'discord'
    ? discordCall(discordText(JSON.parse(body) as Body, name))
    : signedCall(id, body, secrets, now);
}

function discordText({ type, timestamp, data }: Body, name: string): Embed {
  const said = messages('en-US');
  const { t } = said;
  const write = valueWriter(said);
  const title = data.project?.title ?? data.organization?.name ?? data.server?.name ?? name;
  const url =
    data.version && data.project
      ? `${data.project.url}/version/${data.version.id}`
      : (data.project ?? data.organization)?.url;
  const version = data.version?.version_number ?? '';
  const { from = '', to = '' } = data;
  const { server, state_of = null, address = null } = data;
  const of = { server_id: server?.id ?? '', name: server?.name ?? '' };
  // what owners of a server are notified of too, in the same words
  const alert = (state: 'began' | 'ended') =>
    server && data.alert
      ? sentenceOfBody('server_alert', { alert_id: '', value: null, ...data.alert, ...of, state }, write)
      : '';
  const loss = (outcome: 'rescued' | 'lost') =>
    server ? sentenceOfBody('server_lost', { ...of, outcome, state_of, address }, write) : '';
  const texts = {
    test: t('webhooks.say_test', { name }),
    'version.published': t('webhooks.say_version_published', { version }),
    'version.edited': t('webhooks.event_version_edited'),
    'version.deleted': t('webhooks.event_version_deleted'),
    'project.status_changed': t('webhooks.say_status_changed', { from, to }),
    'project.edited': t('webhooks.event_project_edited'),
    'gallery.changed': t('webhooks.event_gallery_changed'),
    'members.changed': t('webhooks.event_members_changed'),
    'server.alert_began': alert('began'),
    'server.alert_ended': alert('ended'),
    'server.rescued': loss('rescued'),
    'server.lost': loss('lost'),
  };
  return { title, url, text: texts[type], timestamp };
}
