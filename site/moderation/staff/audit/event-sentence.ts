import type { MessageKey } from '#content/keys.ts';
import { type Messages, messageKeys } from '#content/messages.ts';
import type { AuditNames } from '#db/moderation/audit/names.ts';
import type { AuditEntry } from '#db/moderation/audit/read.ts';
import type { EventName } from '#db/platform/events/catalogue.ts';
import { ledgerAmount } from '../../../hosting/checkout/price.ts';
import { activitySentence } from '../../../hosting/panel/activity/sentence.ts';
import { bidiIsolated } from '../../../platform/text/bidi.ts';
import { day } from '../../../platform/text/dates.ts';
import { exactNumber, isDay } from '../../../platform/text/format.ts';

/** What events say in the language of a page: those of servers as in their activity, others by `events.json`. */

const known: ReadonlySet<string> = new Set(messageKeys);
const gap = '…';
/** Every value that a sentence may contain; a message without one of its values is no sentence. */
const noValues: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['subject', 'project', 'server', 'user', 'username', 'old_username', 'name', 'slug', 'reason', 'day'],
    ...['version_number', 'form_type', 'amount', 'fields', 'shown', 'rescued', 'lost'],
  ].map((name) => [name, gap]),
);
/** Values that a sentence has words for, and does not write as they are. */
const choices: Readonly<Record<string, string | number>> = {
  ...{
    from: '',
    to: '',
    token: '',
    application: '',
    authorization: '',
    two_factor: '',
    passkey: '',
    is_allowed: '',
  },
  ...{ change: '', verdict: '', state: '', term: '', source: '', draining: '' },
  ...{ traces: 1, files: 1, locks: 1, days: 1 },
};
/** Values that the messages spell as their texts do. */
const spelled: Readonly<Record<string, string>> = { cancelled: 'canceled' };
/** Variants of an event that has several, by the fields of its data that it has. */
const variants = [
  ...['role', 'badges', 'password', 'token', 'sessions', 'application', 'authorization', 'two_factor'],
  ...['passkey', 'email'],
];

const keyOf = (name: string, variant = ''): string =>
  `events.event_${name.replaceAll('.', '_')}${variant && `_${variant}`}`;

/** The texts that an event is said by: all its variants. For tests. */
export const eventTexts = (name: EventName): string[] =>
  messageKeys.filter((key) => key === keyOf(name) || key.startsWith(`${keyOf(name)}_`));

/** One sentence about an entry of the audit log. */
export function eventSentence(messages: Messages, entry: AuditEntry, names: AuditNames): string {
  const { t } = messages;
  const person = personOf(messages, entry);
  if (entry.name.startsWith('server.')) return serverSentence(messages, entry, names);
  const fields = fieldsOf(messages, entry.data.fields);
  const found = variants.filter((one) => entry.data[one] !== undefined && known.has(keyOf(entry.name, one)));
  const keys = (found.length > 0 ? found : [fields === null ? '' : 'fields']).map((variant) =>
    [keyOf(entry.name, variant), keyOf(entry.name)].find((one) => known.has(one)),
  );
  const values = {
    ...noValues,
    ...choices,
    ...valuesOf(messages, entry, names),
    person,
    fields: fields ?? gap,
  };
  return keys.map((key) => t((key ?? 'events.unknown') as MessageKey, values)).join('; ');
}

/** What the sentence of an event says in general, for a choice among all of them. */
export function generalSentence(messages: Messages, name: EventName): string {
  const { t } = messages;
  const person = t('events.anybody');
  const key = keyOf(name);
  if (known.has(key)) return t(key as MessageKey, { ...noValues, ...choices, person });
  const entry = { name, by: 'person' as const, username: null, member: gap, data: generalData };
  return activitySentence(labelsOf(messages), { ...entry, id: 0, at: '', kind: 'server' }, person);
}

/** Gaps for all that the sentences of servers contain. */
const generalData: Record<string, unknown> = {
  ...{ from: gap, to: gap, name: gap, text: gap, domain: gap, port: gap, who: gap },
  ...{ keys: [gap], paths: [gap], count: 1 },
};

const labelsOf = (messages: Messages) => ({
  t: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => messages.t(key, values),
  formatting: messages.formatting,
  number: (value: number) => exactNumber(messages, value),
});

function serverSentence(messages: Messages, entry: AuditEntry, names: AuditNames): string {
  const { name, data, actor, actor_id } = entry;
  const member = names.get(`user:${String(data.member_id)}`)?.name ?? null;
  const by = actor_id === null ? 'system' : 'person';
  const shared = {
    id: entry.event_id,
    at: '',
    kind: 'server' as const,
    name,
    data: { ...generalData, ...data },
  };
  const text = activitySentence(labelsOf(messages), { ...shared, by, username: actor, member });
  if (!text.includes(name)) return text;
  const key = known.has(keyOf(name)) ? keyOf(name) : 'events.unknown';
  return messages.t(key as MessageKey, { person: personOf(messages, entry) });
}

/** Who did it: a name now, the system, or somebody whose account is gone. */
const personOf = ({ t }: Messages, { actor, actor_id }: AuditEntry): string =>
  actor !== null ? bidiIsolated(actor) : t(actor_id === null ? 'events.system' : 'server_activity.someone');

function valuesOf(messages: Messages, entry: AuditEntry, names: AuditNames): Record<string, string | number> {
  const { t } = messages;
  const { data } = entry;
  const named = (type: string, id: unknown): string => {
    const found = typeof id === 'string' ? names.get(`${type}:${id}`) : undefined;
    return found ? bidiIsolated(found.name) : t('events.gone');
  };
  const values: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'number') values[key] = value;
    else if (Object.hasOwn(choices, key)) values[key] = spelled[String(value)] ?? String(value);
    else if (typeof value === 'string')
      values[key] = bidiIsolated(key === 'day' && isDay(value) ? day(messages, value) : value);
  }
  const count = data.traces ?? data.files ?? data.locks ?? data.days;
  if (typeof count === 'number') values.shown = exactNumber(messages, count);
  if (typeof data.amount_minor === 'number')
    values.amount = ledgerAmount(messages, data.amount_minor, String(data.currency ?? 'USD'));
  if (typeof data.role === 'object' && data.role !== null && 'to' in data.role)
    values.to = String(data.role.to);
  return {
    ...{ ...values, subject: named(entry.subject_type, entry.subject_id) },
    ...{ project: named('project', data.project_id), user: named('user', data.user_id) },
    server: named('server', entry.subject_type === 'server' ? entry.subject_id : data.server_id),
  };
}

/** The names of changed fields as a list; null where none of them has a name. */
function fieldsOf({ t, formatting }: Messages, fields: unknown): string | null {
  if (!Array.isArray(fields)) return null;
  const said = fields.filter((field) => known.has(`events.field_${String(field)}`));
  if (said.length === 0) return null;
  const words = said.map((field) => t(`events.field_${String(field)}` as MessageKey));
  return new Intl.ListFormat(formatting, { type: 'conjunction' }).format([...new Set(words)]);
}
