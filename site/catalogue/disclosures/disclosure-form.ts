import type { MessageKey } from '#content/keys.ts';
import { aiUses, consents, type DisclosureType, disclosureTypes } from '#db/catalogue/disclosures/rules.ts';
import type { FieldValues } from '../../platform/forms/project-form.ts';

/** What a disclosure says beside its type: a text, boxes, a choice, or one entry in each line. */
export type DisclosurePart =
  | 'note'
  | 'uses'
  | 'consent'
  | 'interactions'
  | 'data_collected'
  | 'features'
  | 'sources';

/** The parts of each type, in the order of the page. Source: api-v3 §2.7. */
export const disclosureParts: Readonly<Record<DisclosureType, readonly DisclosurePart[]>> = {
  ai_content: ['uses', 'note'],
  advertisements: ['note'],
  epilepsy_triggers: ['note'],
  system_interactions: ['interactions', 'note'],
  telemetry: ['consent', 'data_collected'],
  derivative_work: ['sources'],
  paid_features: ['features'],
  archived: ['note'],
};

/** The names and explanations of the types. */
export const disclosureNames: Readonly<Record<DisclosureType, readonly [MessageKey, MessageKey]>> = {
  ai_content: ['disclosures.ai_content', 'disclosures.ai_content_text'],
  advertisements: ['disclosures.advertisements', 'disclosures.advertisements_text'],
  epilepsy_triggers: ['disclosures.epilepsy_triggers', 'disclosures.epilepsy_triggers_text'],
  system_interactions: ['disclosures.system_interactions', 'disclosures.system_interactions_text'],
  telemetry: ['disclosures.telemetry', 'disclosures.telemetry_text'],
  derivative_work: ['disclosures.derivative_work', 'disclosures.derivative_work_text'],
  paid_features: ['disclosures.paid_features', 'disclosures.paid_features_text'],
  archived: ['disclosures.archived', 'disclosures.archived_text'],
};

export const useNames = {
  code: 'disclosures.use_code',
  assets: 'disclosures.use_assets',
  text: 'disclosures.use_text',
  functionality: 'disclosures.use_functionality',
} as const satisfies Readonly<Record<(typeof aiUses)[number], MessageKey>>;

export const consentNames = {
  opt_in: 'disclosures.opt_in',
  opt_out: 'disclosures.opt_out',
  always_active: 'disclosures.always_active',
} as const satisfies Readonly<Record<(typeof consents)[number], MessageKey>>;

/** A disclosure that is in force, as it is stored. */
export interface CurrentDisclosure {
  type: string;
  data: Readonly<Record<string, unknown>>;
}

interface Source {
  link: string;
  label: string;
  note: string | null;
}

export const onField = (type: DisclosureType): string => `on_${type}`;
export const partField = (type: DisclosureType, part: DisclosurePart): string => `${type}_${part}`;
export const aiField = (use: (typeof aiUses)[number]): string => `ai_content_use_${use}`;

/** The fields of a type, in the order of the page. */
export const fieldsOfType = (type: DisclosureType): string[] => [
  onField(type),
  ...disclosureParts[type].flatMap((part) =>
    part === 'uses' ? aiUses.map(aiField) : [partField(type, part)],
  ),
];

/** Boxes that are not sent when they are not checked. */
export const disclosureBoxes: readonly string[] = [...disclosureTypes.map(onField), ...aiUses.map(aiField)];

/** What the fields show of stored disclosures. */
export function fieldsOfDisclosures(current: readonly CurrentDisclosure[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { type: name, data } of current) {
    const type = name as DisclosureType;
    fields[onField(type)] = 'on';
    for (const part of disclosureParts[type]) {
      const value = data[part];
      if (part === 'uses') for (const use of (value ?? []) as typeof aiUses) fields[aiField(use)] = 'on';
      else if (part === 'sources')
        fields[partField(type, part)] = ((value ?? []) as Source[]).map(written).join('\n');
      else fields[partField(type, part)] = Array.isArray(value) ? value.join('\n') : String(value ?? '');
    }
  }
  return fields;
}

/** The disclosure of this type that the fields ask for, unchecked; null for none. */
export function disclosureIn(type: DisclosureType, fields: FieldValues): Record<string, unknown> | null {
  if (fields[onField(type)] === undefined) return null;
  const parts = disclosureParts[type].map((part) => [part, partIn(type, part, fields)] as const);
  return { type, ...Object.fromEntries(parts) };
}

function partIn(type: DisclosureType, part: DisclosurePart, fields: FieldValues): unknown {
  if (part === 'uses') return aiUses.filter((use) => fields[aiField(use)] !== undefined);
  const text = (fields[partField(type, part)] ?? '').replaceAll('\r\n', '\n').trim();
  if (part === 'note') return text || null;
  if (part === 'consent') return text || consents[0];
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return part === 'sources' ? lines.map(sourceIn) : lines;
}

const written = ({ link, label, note }: Source): string => `${link} ${label}${note ? ` | ${note}` : ''}`;

/** `https://… its name | a note`, the note optional. */
function sourceIn(line: string): Source {
  const [link = ''] = line.split(/\s/, 1);
  const [label = '', ...note] = line.slice(link.length).trimStart().split(' | ');
  return { link, label: label.trim() || link, note: note.join(' | ').trim() || null };
}
