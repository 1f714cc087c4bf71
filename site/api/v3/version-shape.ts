import { z } from 'zod';
import { projectTypesOf } from '#db/catalogue/tags/rules.ts';
import { loaderFieldsOf } from '#db/catalogue/versions/loader-fields.ts';
import { type VersionRow, versionOf } from '#db/catalogue/versions/row.ts';
import { versionShape } from '#db/catalogue/versions/shape.ts';
import { idShape } from '#db/platform/shape.ts';
import type { MediaSettings } from '#db/platform/storage/url.ts';

/** A version as v3 answers it; the last fields are there when its loaders have them. Source: api-v3 §2.2. */
export const versionV3Shape = versionShape
  .omit({ changelog_url: true, game_versions: true, environment: true })
  .extend({
    project_types: z.array(z.string()),
    games: z.array(z.string()),
    ordering: z.number().int().nullable(),
    minecraft_java_server: z.null(),
    game_versions: z.array(z.string()).optional(),
    environment: z.string().optional(),
    mrpack_loaders: z.array(z.string()).optional(),
    files_missing_attribution: z
      .array(
        z.object({
          id: idShape,
          override_source: z.discriminatedUnion('type', [
            z.object({
              ...{ type: z.literal('flame'), id: z.int(), title: z.string(), url: z.string() },
              icon_url: z.string().nullable(),
            }),
            z.object({ type: z.literal('unknown') }),
          ]),
        }),
      )
      .optional()
      .describe('Files of a hidden version with something in them that nobody answers for'),
  })
  .meta({ id: 'VersionV3' });

/** The row as v3 shows it: loaders as stored, their fields flattened. */
export function versionV3(settings: MediaSettings, row: VersionRow): z.input<typeof versionV3Shape> {
  const { changelog_url: _, game_versions, environment, ...version } = versionOf(settings, row);
  const fields = { game_versions, environment, mrpack_loaders: row.mrpack_loaders };
  const known = loaderFieldsOf(row.loaders).map((field) => [field, fields[field]]);
  return {
    ...version,
    loaders: row.loaders,
    project_types: projectTypesOf(row.loaders),
    games: ['minecraft-java'],
    ordering: row.ordering,
    minecraft_java_server: null,
    ...(row.missing_attribution ? { files_missing_attribution: row.missing_attribution } : {}),
    ...Object.fromEntries(known),
  };
}
