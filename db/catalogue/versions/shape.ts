import { z } from 'zod';
import { fileTypes } from '../../platform/files/rules.ts';
import { boundedText, idShape, oneLineText, uploadedImages } from '../../platform/shape.ts';
import { environments } from '../tags/rules.ts';
import type { FieldFilters } from './field-filters.ts';
import {
  dependencyTypes,
  limits,
  numberProblem,
  settableStatuses,
  versionNumberPattern,
  versionStatuses,
  versionTypes,
} from './rules.ts';

export const hash = z.string().max(128);
const algorithmShape = z.enum(['sha1', 'sha512']);
const fileType = z.enum(fileTypes).nullable();
export const int = z
  .number()
  .int()
  .min(-limits.ordering - 1)
  .max(limits.ordering);

const name = oneLineText(1, limits.name);
export const versionNumber = boundedText(1, limits.version_number).regex(versionNumberPattern, {
  error: ({ input }) => numberProblem(String(input)) ?? undefined,
});
const changelog = boundedText(0, limits.changelog);
export const tags = z.array(z.string().max(64)).min(1).max(1024);

const dependencyInput = z.object({
  version_id: idShape.nullish(),
  project_id: idShape.nullish(),
  file_name: boundedText(1, 255).nullish(),
  dependency_type: z.enum(dependencyTypes),
});
const dependencies = z.array(dependencyInput).max(limits.dependencies);

/** A version as a v2 response. Source: api-v2 §2.2. */
export const versionShape = z
  .object({
    id: idShape,
    project_id: idShape,
    author_id: idShape,
    featured: z.boolean(),
    name: z.string(),
    version_number: z.string(),
    changelog: z.string().optional().describe('Omitted when include_changelog is false'),
    changelog_url: z.null(),
    date_published: z.iso.datetime(),
    downloads: z.number().int(),
    version_type: z.enum(versionTypes),
    status: z.enum(versionStatuses),
    requested_status: z.enum(versionStatuses).nullable(),
    game_versions: z.array(z.string()),
    loaders: z.array(z.string()),
    environment: z.string(),
    files: z.array(
      z.object({
        id: idShape.optional().describe('Omitted in the response of a create'),
        hashes: z.object({ sha1: z.string(), sha512: z.string() }),
        url: z.url(),
        filename: z.string(),
        primary: z.boolean(),
        size: z.number().int(),
        file_type: fileType,
      }),
    ),
    dependencies: z.array(
      z.object({
        version_id: z.string().nullable(),
        project_id: z.string().nullable(),
        file_name: z.string().nullable(),
        dependency_type: z.enum(dependencyTypes),
      }),
    ),
  })
  .meta({ id: 'Version' });
export type Version = z.output<typeof versionShape>;

/** What both kinds of new versions state, under the names of v2. Source: api-v2 §5.1. */
export const createFields = z.object({
  file_parts: z.array(z.string().min(1).max(512)).min(1).max(limits.file_parts),
  version_number: versionNumber,
  name,
  changelog: changelog.nullish(),
  dependencies,
  game_versions: tags,
  version_type: z.enum(versionTypes),
  loaders: tags,
  featured: z.boolean(),
  primary_file: z.string().nullish(),
  environment: z.enum(environments).nullish(),
  uploaded_images: uploadedImages.nullish(),
  ordering: int.nullish(),
});

/** What POST /version states besides. */
export const publishFields = {
  project_id: idShape,
  status: z.enum(settableStatuses).nullish(),
  file_types: z.record(z.string(), fileType).nullish(),
};

/** Fields under the names that older clients send. Source: api-v2 §5.1; api-behaviours §7.4. */
const aliases = {
  mod_id: 'project_id',
  version_title: 'name',
  version_body: 'changelog',
  release_channel: 'version_type',
};

export const withoutAliases = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = new Map(Object.entries(value));
  for (const [alias, field] of Object.entries(aliases)) {
    if (given.has(alias) && !given.has(field)) given.set(field, given.get(alias));
    given.delete(alias);
  }
  return Object.fromEntries(given);
};

/** The `data` part of POST /version. Source: api-v2 §5.1. */
export const createShape = z.preprocess(withoutAliases, createFields.extend(publishFields));
export type CreateData = z.output<typeof createShape> & OwnLoaders;

/** v3 states whether a version is a modpack; v2 leaves it to the names of the files. */
interface OwnLoaders {
  pack?: boolean | undefined;
}

/** One of `initial_versions` of POST /project: always listed; project_id, status and file_types are ignored. */
export const initialShape = z.preprocess(withoutAliases, createFields);
export type InitialData = z.output<typeof initialShape> & OwnLoaders;

/** The `data` part of POST /version/{id}/file. */
export const addFileShape = z.object({ file_types: z.record(z.string(), fileType).nullish() });

/** Finished uploads that are added to a version, by their ids. */
export const addUploadsShape = addFileShape.extend({
  uploads: z.array(idShape).min(1).max(limits.file_parts),
});

/** The body of PATCH /version/{id}; absent and null both keep a field. Source: api-v2 §5.3. */
export const editShape = z
  .object({
    name: name.nullish(),
    version_number: versionNumber.nullish(),
    changelog: changelog.nullish(),
    version_type: z.enum(versionTypes).nullish(),
    dependencies: dependencies.nullish(),
    game_versions: tags.nullish(),
    loaders: tags.nullish(),
    featured: z.boolean().nullish(),
    downloads: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
    status: z.enum(settableStatuses).nullish(),
    uploaded_images: uploadedImages.nullish(),
    file_types: z
      .array(z.object({ algorithm: algorithmShape, hash, file_type: fileType }))
      .max(limits.file_parts)
      .nullish(),
  })
  .meta({ id: 'VersionEdit' });
/** A change of a version by v2, or by v3, which names the loaders as they are stored and every field of theirs. */
export type EditData = z.output<typeof editShape> & {
  stored_loaders?: string[] | null | undefined;
  mrpack_loaders?: string[] | null | undefined;
  environment?: string | null | undefined;
  ordering?: number | null | undefined;
};

/** Postgres rejects U+0000 and lone surrogates, even in comparisons. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
export const filterText = z.string().transform(storable);

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** A query value that should be a JSON array of texts; an invalid one counts as absent. Source: api-v2 §5.2. */
const lenientList = z
  .string()
  .optional()
  .transform((text): string[] | undefined => {
    try {
      const list: unknown = JSON.parse(text ?? '');
      return Array.isArray(list) && list.every((item) => typeof item === 'string')
        ? list.map(storable)
        : undefined;
    } catch {
      return undefined;
    }
  });

/** The query of GET /project/{id}/version. Source: api-v2 §5.2. */
export const filtersShape = z.object({
  loaders: lenientList,
  game_versions: lenientList,
  featured: flag.optional(),
  version_type: z.enum(versionTypes).optional(),
  limit: count.optional(),
  offset: count.optional(),
  include_changelog: flag.default(true),
});
export type Filters = z.output<typeof filtersShape>;

export const changelogQuery = z.object({ include_changelog: flag.default(true) });

/** `?algorithm=&version_id=` of the routes by hash. Source: api-v2 §6. */
export const hashQuery = z.object({ algorithm: algorithmShape.optional(), version_id: idShape.optional() });
export const hashParams = z.object({ hash: hash.transform((text) => text.toLowerCase()) });

export const updateFields = {
  loaders: z.array(filterText).max(1024).nullish(),
  game_versions: z.array(filterText).max(4096).nullish(),
  version_types: z.array(z.enum(versionTypes)).nullish(),
};
export const updateShape = z.object(updateFields);
/** Filters of an update; v3 also names fields of modpacks and mods. */
export type UpdateFilters = z.output<typeof updateShape> & Omit<FieldFilters, 'game_versions'>;

export const algorithm = algorithmShape.nullish();
export const hashesShape = z.object({ hashes: z.array(hash).max(limits.hashes), algorithm });
export const updatesShape = hashesShape.extend(updateFields);
export const individualShape = z.object({
  hashes: z.array(z.object({ hash, ...updateFields })).max(limits.hashes),
  algorithm,
});
