import { z } from 'zod';
import { idShape, linesText, oneLineText } from '../../platform/shape.ts';

/** Source: api-v3 §3.9; api-v2 §1.8. */
export const limits = {
  name: 64,
  description: 256,
  icon_bytes: 262_144,
  /** Maximum ids or slugs per request. */
  ids: 1000,
} as const;

const slug = z.string().max(100); // judged by the rule of slugs
const name = oneLineText(3, limits.name);
const description = linesText(3, limits.description);

/** The body of POST /organization. Source: api-v3 §3.9. */
export const createShape = z.object({ slug, name, description }).meta({ id: 'OrganizationCreate' });
export type CreateData = z.output<typeof createShape>;

/** The body of PATCH /organization: an absent field is kept. Source: api-v3 §3.9. */
export const editShape = z
  .object({ slug: slug.nullish(), name: name.nullish(), description: description.nullish() })
  .meta({ id: 'OrganizationEdit' });
export type EditData = z.output<typeof editShape>;

/** An organization as a v3 response, without its members. Source: api-v3 §2.7. */
export const organizationShape = z.object({
  id: idShape,
  slug: z.string(),
  name: z.string(),
  team_id: idShape,
  description: z.string(),
  icon_url: z.string().nullable(),
  color: z.number().int().nullable(),
});
