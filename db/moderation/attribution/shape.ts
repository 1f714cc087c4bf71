import { z } from 'zod';
import { sha1Shape } from '../../catalogue/external-files/shape.ts';
import { boundedText, idShape, oneLineText } from '../../platform/shape.ts';
import { moderationKinds } from './rules.ts';

/** Shapes of attribution. Source: api-v3 §5.1. */

const link = z.url({ protocol: /^https?$/ }).max(2048);
const license = z.union([boundedText(1, 128), z.object({ name: oneLineText(1, 200) })]);
const beside = {
  notes: boundedText(0, 4096).nullish(),
  image_urls: z.array(link).max(10).default([]),
  moderation_status: z
    .object({ kind: z.enum(moderationKinds), reason: boundedText(0, 4096).nullish() })
    .nullish(),
};
export const attributionShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('license'), license, link_to_work: link, ...beside }),
  z.object({ kind: z.literal('my_project'), license, ...beside }),
  z.object({ kind: z.literal('special_permissions'), link_to_work: link, ...beside }),
  z.object({ kind: z.literal('globally_allowed'), link_to_work: link, ...beside }),
  z.object({ kind: z.literal('no_permission'), link_to_work: link.nullish(), ...beside }),
]);
export type Attribution = z.output<typeof attributionShape>;

export const editShape = z.object({ attribution: attributionShape });
export const scanShape = z.object({ version_ids: z.array(idShape).min(1).max(100) });
export const assignShape = z.object({ sha1: sha1Shape, target_group_id: idShape, project_id: idShape });
export const splitShape = z.object({ sha1: sha1Shape, project_id: idShape });
export const deleteShape = z.object({ groups: z.array(idShape).min(1).max(500) });

export const groupShape = z.object({
  id: z.string(),
  flame_project: z
    .object({ id: z.int(), title: z.string(), url: z.string(), icon_url: z.string().nullable() })
    .nullable(),
  attribution: z.record(z.string(), z.unknown()).nullable(),
  attributed_at: z.string().nullable(),
  attributed_by: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), sha1: z.string(), versions: z.array(z.string()) })),
  versions: z.array(
    z.object({ id: z.string(), name: z.string(), version_number: z.string(), date_created: z.string() }),
  ),
  /** For moderators: files of the group that this site hosts meanwhile. */
  override_files_on_platform: z.array(z.string()).optional(),
});
export type AttributionGroup = z.output<typeof groupShape>;
