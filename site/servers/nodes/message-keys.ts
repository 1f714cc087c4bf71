import { type MessageKey, type Messages, pick } from '#content/messages.ts';
import { regionNames } from '../checkout/labels.ts';
import { type Forms, formsOf } from '../shared/message-keys.ts';

const plain = [
  'hosting_admin.nodes',
  'hosting_admin.no_nodes',
  'hosting_admin.no_nodes_text',
  'hosting_admin.add',
  'hosting_admin.servers',
  'hosting_admin.all_well',
  'hosting_admin.memory_promised',
  'hosting_admin.ports',
  'hosting_admin.state_new',
  'hosting_admin.state_online',
  'hosting_admin.state_degraded',
  'hosting_admin.state_offline',
  'hosting_admin.state_draining',
  'hosting_admin.why_new',
  'hosting_admin.why_degraded',
  'hosting_admin.why_offline',
  'hosting_admin.why_draining',
  'hosting_admin.cpu',
  'hosting_admin.memory',
  'hosting_admin.disk',
  'hosting_admin.gb',
  'hosting_admin.cores',
  'hosting_admin.key',
  'hosting_admin.version',
  'hosting_admin.disk_image',
  'hosting_admin.disk_measured',
  'hosting_admin.drain',
  'hosting_admin.undrain',
  'hosting_admin.ask_drain',
  'hosting_admin.ask_drain_text',
  'hosting_admin.lost',
  'hosting_admin.lost_text',
  'hosting_admin.cancel',
] as const satisfies readonly MessageKey[];
const filled = {
  'hosting_admin.of': { now: '{now}', most: '{most}' },
  'hosting_admin.ports_of': { now: '{now}', most: '{most}' },
  'hosting_admin.used_promised': { what: '{what}', used: '{used}', promised: '{promised}', most: '{most}' },
  'hosting_admin.promised_only': { what: '{what}', promised: '{promised}', most: '{most}' },
} as const;
const counted = [
  'hosting_admin.running',
  'hosting_admin.servers_on',
  'hosting_admin.need_you',
] as const satisfies readonly MessageKey[];

/** The texts of the nodes board. */
export interface BoardTexts {
  formatting: string;
  plain: Record<(typeof plain)[number] | keyof typeof filled, string>;
  counted: Record<(typeof counted)[number], Forms>;
  /** Of the regions that are sold, by id. */
  regions: Record<string, string>;
}

export function boardTexts(messages: Messages): BoardTexts {
  const { t, formatting } = messages;
  const named = Object.entries(filled).map(([key, values]) => [key, t(key as keyof typeof filled, values)]);
  const forms = counted.map((key) => [key, formsOf(messages, key)]);
  return {
    formatting,
    plain: { ...pick(t, plain), ...Object.fromEntries(named) },
    counted: Object.fromEntries(forms) as BoardTexts['counted'],
    regions: Object.fromEntries(Object.entries(regionNames).map(([id, key]) => [id, t(key)])),
  };
}
