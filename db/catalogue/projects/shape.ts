import { z } from 'zod';
import { boundedText, httpsUrl, idShape, uploadedImages } from '../../platform/shape.ts';
import { sideTypes } from '../tags/rules.ts';
import { limits } from './limits.ts';
import { monetizationStatuses, statuses } from './rules.ts';
import { optionalInputs, shownShapes, storedFields } from './stored-fields.ts';

const instant = z.iso.datetime();
const url = z.string().nullable();
export const status = z.enum(statuses);
export const sideType = z.enum(sideTypes);
export const categoryNames = (max: number) => z.array(z.string().max(64)).max(max);

/** A project as a v2 response. Source: api-v2 §2.1. */
export const projectShape = z
  .object({
    id: idShape,
    slug: z.string().nullable(),
    project_type: z.string(),
    team: idShape,
    organization: idShape.nullable(),
    title: z.string(),
    description: z.string(),
    body: z.string(),
    body_url: z.null(),
    published: instant,
    updated: instant,
    approved: instant.nullable(),
    queued: instant.nullable(),
    status,
    requested_status: status.nullable(),
    moderator_message: z.object({ message: z.string(), body: z.string().nullable() }).nullable(),
    license: z.object({ id: z.string(), name: z.string(), url: z.string().nullable() }),
    downloads: z.number().int(),
    followers: z.number().int(),
    categories: z.array(z.string()),
    additional_categories: z.array(z.string()),
    game_versions: z.array(z.string()),
    loaders: z.array(z.string()),
    versions: z.array(idShape),
    client_side: sideType,
    server_side: sideType,
    environment: z.array(z.string()),
    icon_url: url,
    raw_icon_url: url,
    ...shownShapes,
    donation_urls: z.array(z.object({ id: z.string(), platform: z.string(), url: z.string() })),
    gallery: z.array(
      z.object({
        url: z.string(),
        raw_url: z.string(),
        featured: z.boolean(),
        title: z.string().nullable(),
        description: z.string().nullable(),
        /** What it shows, for people who can't see it. */
        alt: z.string().nullable(),
        created: instant,
        ordering: z.number().int(),
      }),
    ),
    color: z.number().int().nullable(),
    thread_id: idShape,
    monetization_status: z.enum(monetizationStatuses),
  })
  .meta({ id: 'Project' });
export type Project = z.output<typeof projectShape>;

export const donationUrls = z
  .array(z.object({ id: z.string().max(64), platform: z.string().max(64).default(''), url: httpsUrl }))
  .max(limits.donation_urls);
/** The body of PATCH /project: an absent field is kept; null clears where allowed, else keeps. Source: api-v2 §4.2. */
export const editShape = z
  .object({
    title: storedFields.title.input.nullish(),
    description: storedFields.description.edit_input.nullish(),
    body: boundedText(0, limits.body).nullish(),
    slug: z.string().nullish(),
    license_id: z.string().min(1).max(512).nullish(),
    categories: categoryNames(limits.categories).nullish(),
    additional_categories: categoryNames(limits.additional_categories).nullish(),
    ...optionalInputs,
    donation_urls: donationUrls.nullish(),
    status: status.nullish(),
    requested_status: status.nullish(),
    monetization_status: z.enum(monetizationStatuses).nullish(),
    moderation_message: boundedText(0, limits.moderation_message).nullish(),
    moderation_message_body: boundedText(0, limits.body).nullish(),
    client_side: sideType.nullish(),
    server_side: sideType.nullish(),
    uploaded_images: uploadedImages.nullish(),
  })
  .meta({ id: 'ProjectEdit' });
export type EditData = z.output<typeof editShape>;

/** `?ids=["AABBCCDD","sodium"]`, each an id or a slug. */
export const idsOrSlugs = z.array(z.string()).max(limits.ids);
