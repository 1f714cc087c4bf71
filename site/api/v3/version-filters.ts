import { z } from 'zod';
import type { FieldFilters } from '#db/catalogue/versions/field-filters.ts';
import type { ListFilters } from '#db/catalogue/versions/read.ts';
import { limits } from '#db/catalogue/versions/rules.ts';
import {
  algorithm,
  filtersShape,
  filterText,
  hash,
  type UpdateFilters,
  updateFields,
} from '#db/catalogue/versions/shape.ts';

/** Names of filtered fields to wanted values. Versions without a field pass, so unknown fields change nothing. */
const fieldValues = z
  .record(z.string().max(64), z.array(z.union([filterText, z.number(), z.boolean()])).max(4096))
  .refine((fields) => Object.keys(fields).length <= 64, 'must have at most 64 fields')
  .transform((fields): FieldFilters => {
    const valuesOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name]!.map(String) : undefined);
    return {
      game_versions: valuesOf('game_versions'),
      mrpack_loaders: valuesOf('mrpack_loaders'),
      environment: valuesOf('environment'),
    };
  });

/** A query value with JSON; like the lists of v2 an invalid one counts as absent. */
const lenientFields = z
  .string()
  .optional()
  .transform((text): FieldFilters | undefined => {
    try {
      return fieldValues.safeParse(JSON.parse(text ?? '')).data;
    } catch {
      return undefined;
    }
  });

/** The query of GET /v3/project/{id}/version. Source: api-v3 §3.4. */
export const listQuery = filtersShape
  .omit({ game_versions: true })
  .extend({ loader_fields: lenientFields })
  .transform(
    ({ loaders, loader_fields, ...filters }): ListFilters => ({
      ...filters,
      stored_loaders: loaders,
      fields: loader_fields,
    }),
  );

const update = z.object({ ...updateFields, loader_fields: fieldValues.nullish() });

const filtersOf = ({ loader_fields, ...filters }: z.output<typeof update>): UpdateFilters => ({
  ...filters,
  ...loader_fields,
  game_versions: (loader_fields?.game_versions as string[] | undefined) ?? filters.game_versions,
});

/** The body of POST /v3/version_file/{hash}/update. */
export const updateV3Shape = update.transform(filtersOf);

/** The body of POST /v3/version_files/update_individual. */
export const individualV3Shape = z.object({
  hashes: z
    .array(
      update.extend({ hash }).transform(({ hash, ...filters }): UpdateFilters & { hash: string } => ({
        ...filtersOf(filters),
        hash,
      })),
    )
    .max(limits.hashes),
  algorithm,
});
