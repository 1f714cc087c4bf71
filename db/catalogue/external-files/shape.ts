import { z } from 'zod';
import { boundedText, idShape, oneLineText } from '../../platform/shape.ts';
import { limits, permissions } from './rules.ts';

/** Shapes of works from elsewhere. Source: api-v3 §5. */

const anyCaseSha1 = z.string().regex(/^[0-9a-fA-F]{40}$/, 'must be a SHA-1: 40 hexadecimal digits');
export const sha1Shape = anyCaseSha1.transform((text) => text.toLowerCase());
const flameId = z
  .int()
  .min(1)
  .max(2 ** 40);
const link = z.url({ protocol: /^https?$/ }).max(2048);
const permission = z.enum(permissions);

export const externalProjectShape = z.object({
  id: z.string(),
  title: z.string().nullable(),
  status: permission,
  link: z.string().nullable(),
  exceptions: z.string().nullable(),
  proof: z.string().nullable(),
  flame_project_id: z.int().nullable(),
  inserted_at: z.string(),
  inserted_by: z.string().nullable(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
  linked_files: z.array(z.object({ name: z.string(), sha1: z.string() })),
});
export type ExternalProject = z.output<typeof externalProjectShape>;

export const searchShape = z.object({
  title: boundedText(1, 200).nullish(),
  flame_id: flameId.nullish(),
  flame_ids: z.array(flameId).max(limits.hashes).nullish(),
});
export const lookupShape = z.object({
  flame_ids: z.array(flameId).max(limits.hashes).default([]),
  hashes: z.array(sha1Shape).max(limits.hashes).default([]),
});
const hashesShape = z.object({ hashes: z.array(sha1Shape).min(1).max(limits.hashes) });
/** Hashes as sent, which the answer repeats as its keys. */
export const sentHashesShape = z.object({ hashes: z.array(anyCaseSha1).min(1).max(limits.hashes) });
export const linkShape = hashesShape.extend({ license_id: idShape });
export const editShape = z
  .object({
    title: oneLineText(1, 200).nullable(),
    status: permission,
    link: link.nullable(),
    exceptions: boundedText(1, 4096).nullable(),
    proof: boundedText(1, 4096).nullable(),
    flame_project_id: flameId.nullable(),
  })
  .partial();
export type ExternalEdit = z.output<typeof editShape>;

/** What somebody decided about a file of a modpack. */
const judgementShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('flame'),
    id: flameId,
    status: permission,
    link: link.nullish(),
    title: oneLineText(1, 200),
  }),
  z.object({
    type: z.literal('unknown'),
    status: permission,
    proof: boundedText(1, 4096).nullish(),
    link: link.nullish(),
    title: oneLineText(1, 200).nullish(),
  }),
]);
export type Judgement = z.output<typeof judgementShape>;
export const judgementsShape = z
  .record(z.string(), judgementShape)
  .refine(
    (all) => Object.keys(all).every((sha1) => sha1Shape.safeParse(sha1).success),
    'has a key that is no SHA-1',
  )
  .refine((all) => Object.keys(all).length <= limits.hashes, 'has too many files');

export const packShape = z.object({
  identified: z.record(z.string(), z.object({ file_name: z.string(), status: permission })),
  /** Files of works of which only the ID at another site is known: this installation does not ask that site. */
  flame_files: z.record(
    z.string(),
    z.object({ title: z.string(), file_name: z.string(), url: z.string(), id: z.int() }),
  ),
  unknown_files: z.record(z.string(), z.string()),
});
