import { z } from 'zod';
import { boundedText, httpsUrl, idShape, oneLineText } from '../../platform/shape.ts';
import { aiUses, consents, disclosureTypes, lockStatuses } from './rules.ts';

const noteText = boundedText(0, 2048)
  .nullish()
  .transform((text) => text ?? null);
const list = z.array(oneLineText(1, 256)).max(64);

/** What members state about each type. Source: api-v3 §2.7. */
const fields = {
  ai_content: z.object({ note: noteText, uses: z.array(z.enum(aiUses)).max(aiUses.length) }),
  advertisements: z.object({ note: noteText }),
  epilepsy_triggers: z.object({ note: noteText }),
  system_interactions: z.object({ note: noteText, interactions: list }),
  telemetry: z.object({ consent: z.enum(consents), data_collected: list }),
  derivative_work: z.object({
    sources: z.array(z.object({ link: httpsUrl, label: oneLineText(1, 256), note: noteText })).max(64),
  }),
  paid_features: z.object({ features: list }),
  archived: z.object({ note: noteText }),
};
const tagged = <T extends keyof typeof fields>(type: T) => fields[type].extend({ type: z.literal(type) });

/** A disclosure, tagged by its type. */
export const disclosureInput = z.discriminatedUnion('type', [
  tagged('ai_content'),
  tagged('advertisements'),
  tagged('epilepsy_triggers'),
  tagged('system_interactions'),
  tagged('telemetry'),
  tagged('derivative_work'),
  tagged('paid_features'),
  tagged('archived'),
]);

/** The body of PATCH /project/{id}/disclosures. Source: api-v3 §3.1. */
export const editShape = z
  .object({
    set: z.array(disclosureInput).max(disclosureTypes.length).default([]),
    remove: z.array(z.enum(disclosureTypes)).max(disclosureTypes.length).default([]),
    lock_status: z.enum(lockStatuses).nullish(),
  })
  .refine(({ set, remove }) => set.length + remove.length > 0, 'set and remove are empty: name a disclosure')
  .refine(({ set, remove }) => {
    const named = [...set.map(({ type }) => type), ...remove];
    return new Set(named).size === named.length;
  }, 'the same disclosure is named twice')
  .meta({ id: 'DisclosureEdit' });
export type EditData = z.output<typeof editShape>;

/** A disclosure as it is answered; the fields from `set_by_moderator` on only to members and moderators. */
export const disclosureShape = z
  .looseObject({
    type: z.enum(disclosureTypes),
    updated_at: z.iso.datetime(),
    set_by_moderator: z.boolean().optional(),
    lock_status: z.enum(lockStatuses).optional(),
    updated_by: idShape.nullable().optional(),
    deleted_at: z.iso.datetime().nullable().optional(),
  })
  .meta({ id: 'Disclosure' });
export type Disclosure = z.output<typeof disclosureShape>;
