import type { RefusalCode } from '../../platform/errors.ts';

/** What a webhook of a project or an organization may be told, by the `type` of its calls. A test is sent by hand. */
export const webhookEvents = [
  'version.published',
  'version.edited',
  'version.deleted',
  'project.status_changed',
  'project.edited',
  'gallery.changed',
  'members.changed',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** What a webhook of a game server is told. */
export const serverWebhookEvents = [
  'server.alert_began',
  'server.alert_ended',
  'server.rescued',
  'server.lost',
] as const;
export type ServerWebhookEvent = (typeof serverWebhookEvents)[number];

/** The name of the check box of an event. */
export const eventField = (event: WebhookEvent): string => `event_${event.replace('.', '_')}`;

/** What notifications about a webhook are grouped by. */
export const webhookGroup = (id: string): string => `webhook:${id}`;

/** How calls look: signed as Standard Webhooks say, or a message as Discord takes it. */
export const webhookFormats = ['standard', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const webhookLimits = {
  /** Of one project, organization or server. */
  webhooks: 10,
  name: 64,
  address: 2048,
  /** Calls that wait for one webhook; later events are left out. */
  waiting: 1000,
  /** Calls that its log keeps, and for how many days. */
  log: 50,
  log_days: 30,
  /** Hours that the secret before a rotation signs too. */
  old_secret_hours: 24,
} as const;

const [s, min, h] = [1_000, 60_000, 3_600_000];
/** The pauses before each new attempt, in milliseconds; after the last one the webhook is turned off. */
export const retryPauses = [5 * s, 5 * min, 30 * min, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h] as const;

/** Milliseconds until a call is tried again after `attempts` failures; null when it is given up. */
export const nextPause = (attempts: number): number | null => retryPauses[attempts - 1] ?? null;

/** Discord takes messages in its own form only. */
export const isDiscordAddress = (url: URL): boolean =>
  /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/.test(url.hostname) &&
  url.pathname.startsWith('/api/webhooks/');

/** Why calls can't go to this address. Whether it is public is checked again at every call, by its DNS. */
export function whyNotAddress(text: string): RefusalCode | null {
  if (text.length > webhookLimits.address || !URL.canParse(text)) return 'webhook_address';
  const { protocol, username, password, port, hostname } = new URL(text);
  const isName = /^[\w-]+(?:\.[\w-]+)+\.?$/.test(hostname) && !/^[\d.]+$/.test(hostname);
  return protocol === 'https:' && username === '' && password === '' && port === '' && isName
    ? null
    : 'webhook_address';
}

/** Whether another webhook may be made beside `count` others. */
export const whyNotAnother = (count: number): RefusalCode | null =>
  count < webhookLimits.webhooks ? null : 'webhook_limit';
