import type { MessageKey } from '#content/keys.ts';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import { type ServerRight, serverRights } from '#db/hosting/servers/rights/rules.ts';
import type { MessageReader } from '../../../platform/text/message-reader.ts';

/** What entries of the activity say, in the language of the page. */

type Labels = Pick<MessageReader, 't' | 'formatting' | 'number'>;

/** Data that is in the sentence itself: each value has a text of its own. */
const variants: Record<string, string> = {
  'server.power_requested': 'action',
  'server.change_requested': 'kind',
  'server.files_changed': 'action',
  'server.players_changed': 'action',
};
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Who did it. */
function whoText({ t }: Pick<MessageReader, 't'>, { by, username }: ActivityEntry): string {
  if (by === 'system') return 'Cairn';
  if (by === 'staff') return t('server_activity.staff');
  return username === null ? t('server_activity.someone') : isolated(username);
}

/** One sentence about an entry; an event without a text of its own is named. `person`: who did it, where that is known better. */
export function activitySentence(
  labels: Labels,
  entry: ActivityEntry,
  person: string = whoText(labels, entry),
): string {
  const { t } = labels;
  const { name, data, member } = entry;
  const values: Record<string, string> = { person };
  for (const [key, value] of Object.entries(data)) {
    if (typeof value === 'string') values[key] = isolated(value);
    else if (typeof value === 'number') values[key] = key === 'port' ? String(value) : labels.number(value);
  }
  for (const key of ['keys', 'paths', 'names'] as const)
    values[key] = listText(labels, textsOf(data[key]), Number(data.count ?? 0));
  values.rights = rightsText(labels, textsOf(data.rights));
  values.member = member === null ? t('server_activity.someone') : isolated(member);
  const variant = variants[name];
  const key = `server_activity.event_${name.replace(/^server\./, '')}${variant ? `_${String(data[variant])}` : ''}`;
  // some say of what, unless they are of an earlier version
  const keys = textsOf(data.names).length > 0 ? [`${key}_named`, key] : [key];
  for (const one of keys) {
    const text = t(one as MessageKey, values);
    if (text !== one) return text;
  }
  return t('server_activity.other', { person, event: name });
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const joined = ({ formatting }: Labels, texts: readonly string[]): string =>
  new Intl.ListFormat(formatting, { type: 'conjunction', style: 'narrow' }).format(texts);

function listText(labels: Labels, texts: readonly string[], count: number): string {
  const list = joined(labels, texts.map(isolated));
  const more = count - texts.length;
  return more > 0 ? labels.t('server_activity.and_more', { list, count: labels.number(more) }) : list;
}

function rightsText(labels: Labels, rights: readonly string[]): string {
  const known = rights.filter((one): one is ServerRight => (serverRights as readonly string[]).includes(one));
  if (known.length === 0) return labels.t('server_access.no_rights');
  return joined(
    labels,
    known.map((right) => labels.t(`server_access.right_${right}`)),
  );
}
