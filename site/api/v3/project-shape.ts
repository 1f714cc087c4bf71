import { z } from 'zod';
import { type ProjectRow, projectOf } from '#db/catalogue/projects/row.ts';
import { editShape, projectShape } from '#db/catalogue/projects/shape.ts';
import { optionalV3Inputs, type V2OnlyColumn, v2OnlyColumns } from '#db/catalogue/projects/stored-fields.ts';
import { environments } from '#db/catalogue/tags/rules.ts';
import { tags } from '#db/catalogue/versions/shape.ts';
import { httpsUrl, idShape } from '#db/platform/shape.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';
import { names, projectV3, toV2 } from './mapping.ts';

const v2 = projectShape.shape;
const v2Only = Object.fromEntries(v2OnlyColumns.map((column) => [column, true])) as Record<
  V2OnlyColumn,
  true
>;

/** A project as v3 answers it. Source: api-v3 §2.1. */
export const projectV3Shape = projectShape
  .omit({
    project_type: true,
    title: true,
    body: true,
    body_url: true,
    team: true,
    client_side: true,
    server_side: true,
    environment: true,
    ...v2Only,
    donation_urls: true,
    game_versions: true,
    gallery: true,
  })
  .extend({
    name: v2.title,
    summary: v2.description,
    description: v2.body,
    team_id: idShape,
    project_types: z.array(z.string()),
    games: z.array(z.string()),
    link_urls: z.record(
      z.string(),
      z.object({ platform: z.string(), donation: z.boolean(), url: z.string() }),
    ),
    gallery: z.array(v2.gallery.element.omit({ title: true }).extend({ name: z.string().nullable() })),
    side_types_migration_review_status: z.enum(['reviewed', 'pending']),
    minecraft_mod: z.null(),
    minecraft_server: z.null(),
    minecraft_java_server: z.null(),
    minecraft_bedrock_server: z.null(),
    game_versions: z.array(z.string()).optional(),
    environment: z.array(z.string()).optional(),
    mrpack_loaders: z.array(z.string()).optional(),
  })
  .meta({ id: 'ProjectV3' });

/** A stored project as v3 answers it. */
export const projectRowV3 = (settings: MediaSettings, row: ProjectRow) =>
  projectV3(projectOf(settings, row), row) as z.input<typeof projectV3Shape>;

const edit = editShape.shape;

/**
 * The body of PATCH /v3/project, converted to v2 names. Loader fields apply to every version that has them; the review
 * of sides is always done here, so its status changes nothing. Source: api-v3 §3.3.
 */
export const editV3Shape = z
  .object({
    name: edit.title,
    summary: edit.description,
    description: edit.body,
    slug: edit.slug,
    categories: edit.categories,
    additional_categories: edit.additional_categories,
    license_id: edit.license_id,
    ...optionalV3Inputs,
    link_urls: z.record(z.string().max(64), httpsUrl.nullable()).nullish(),
    status: edit.status,
    requested_status: edit.requested_status,
    moderation_message: edit.moderation_message,
    moderation_message_body: edit.moderation_message_body,
    monetization_status: edit.monetization_status,
    side_types_migration_review_status: z.enum(['reviewed', 'pending']).nullish(),
    environment: z.enum(environments).nullish(),
    game_versions: tags.nullish(),
    mrpack_loaders: tags.nullish(),
    uploaded_images: edit.uploaded_images,
  })
  .meta({ id: 'ProjectEditV3' })
  .transform(({ link_urls, environment, game_versions, mrpack_loaders, ...fields }) => ({
    ...editShape.parse(toV2(fields, names.project)),
    links: link_urls ?? undefined,
    environment: environment ?? undefined,
    game_versions: game_versions ?? undefined,
    mrpack_loaders: mrpack_loaders ?? undefined,
  }));
