import { z } from 'zod';
import { idShape, linesText, oneLineText } from '../../platform/shape.ts';
import { statuses } from './rules.ts';

/** Source: api-v3 §3.9; api-v2 §1.8. */
export const limits = {
  name: 64,
  description: 255,
  description_edit: 256,
  projects: 1024,
  icon_bytes: 262_144,
  /** Maximum ids per request. */
  ids: 1000,
} as const;

const instant = z.iso.datetime();

/** A collection as a v3 response; `projects` in their stored order. Source: api-v3 §2.7. */
export const collectionShape = z
  .object({
    id: z.string(),
    user: idShape,
    name: z.string(),
    description: z.string().nullable(),
    icon_url: z.string().nullable(),
    color: z.number().int().nullable(),
    status: z.enum(statuses),
    created: instant,
    updated: instant,
    projects: z.array(idShape),
  })
  .meta({ id: 'Collection' });
export type Collection = z.output<typeof collectionShape>;

/** Ids or slugs of projects. */
const projects = z.array(z.string().max(100)).max(limits.projects);

/** The body of POST /collection. Source: api-v3 §3.9. */
export const createShape = z
  .object({
    name: oneLineText(3, limits.name),
    description: linesText(3, limits.description).nullish(),
    projects: projects.default([]),
  })
  .meta({ id: 'CollectionCreate' });
export type CreateData = z.output<typeof createShape>;

/**
 * The body of PATCH /collection: an absent field is kept, a null description clears, projects replace all. Source:
 * api-v3 §3.9.
 */
export const editShape = z
  .object({
    name: oneLineText(3, limits.name).nullish(),
    description: linesText(3, limits.description_edit).nullable().optional(),
    status: z.enum(statuses).exclude(['unknown']).nullish(),
    new_projects: projects.nullish(),
  })
  .meta({ id: 'CollectionEdit' });
export type EditData = z.output<typeof editShape>;
