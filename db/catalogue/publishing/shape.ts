import { z } from 'zod';
import {
  boundedText,
  idShape,
  linesText,
  oneLineText,
  uploadedImages,
  withAliases,
} from '../../platform/shape.ts';
import { limits } from '../projects/limits.ts';
import { categoryNames, donationUrls, sideType, status } from '../projects/shape.ts';
import { optionalInputs, storedFields } from '../projects/stored-fields.ts';
import { initialShape } from '../versions/shape.ts';

/** Fields under the names that older clients send. Source: api-v2 §4.1. */
const aliases = { mod_name: 'title', mod_slug: 'slug', mod_description: 'description', mod_body: 'body' };

/** The fields of a new project that are the same in both versions of the API. */
export const createFields = z.object({
  slug: z.string(),
  categories: categoryNames(limits.categories),
  additional_categories: categoryNames(limits.additional_categories).nullish(),
  license_id: z.string().min(1).max(512),
  is_draft: z.boolean().nullish(),
  requested_status: status.nullish(),
  gallery_items: z
    .array(
      z.object({
        item: z.string().min(1).max(512),
        featured: z.boolean(),
        name: oneLineText(1, limits.gallery_title).nullish(),
        description: linesText(1, limits.gallery_description).nullish(),
        ordering: z.number().int().min(-2147483648).max(2147483647),
      }),
    )
    .max(limits.gallery_items)
    .nullish(),
  uploaded_images: uploadedImages.nullish(),
  organization_id: idShape.nullish(),
});

/** The `data` part of POST /project; rules check slug, licence, tags and statuses. Source: api-v2 §4.1. */
export const createShape = withAliases(
  aliases,
  createFields.extend({
    title: storedFields.title.input,
    description: storedFields.description.input,
    body: boundedText(0, limits.body),
    client_side: sideType,
    server_side: sideType,
    project_type: z.string().default('mod'),
    initial_versions: z.array(initialShape).max(limits.initial_versions),
    ...optionalInputs,
    donation_urls: donationUrls.nullish(),
  }),
);
type CreateV2 = z.output<typeof createShape>;

/** A new project as both versions of the API describe it, with v2 names; v3 has neither sides nor donation links. */
export interface CreateData extends Omit<CreateV2, 'client_side' | 'server_side' | 'project_type'> {
  /** URL by platform; only v3 sends them. */
  links?: Readonly<Record<string, string>> | undefined;
}
