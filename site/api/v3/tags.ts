import { z } from 'zod';
import { linkColumns } from '#db/catalogue/projects/stored-fields.ts';
import { svgOf } from '#db/catalogue/tags/icons.ts';
import { gameVersions } from '#db/catalogue/tags/read.ts';
import { donationPlatforms, environments, loaders, packLoaderNames } from '#db/catalogue/tags/rules.ts';
import { loaderFieldsOf } from '#db/catalogue/versions/loader-fields.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { commonTagRoutes, listRoute } from '../tags.ts';

const text = z.string();
const game = z.object({ slug: text, name: text, icon: text.nullable(), banner: text.nullable() });
const games = [
  { slug: 'minecraft-java', name: 'Minecraft: Java Edition', icon: null, banner: null },
  { slug: 'minecraft-bedrock', name: 'Minecraft: Bedrock Edition', icon: null, banner: null },
];
const loader = z.object({
  icon: text,
  name: text,
  supported_project_types: z.array(text),
  supported_games: z.array(text),
  supported_fields: z.array(text),
  metadata: z.object({ platform: z.boolean().optional() }),
});
/** Whether a loader of plugins is for proxies (platforms) or for servers; other loaders say nothing. */
const platforms: Readonly<Record<string, boolean>> = { plugin: false, plugin_platform: true };
const loaderList = loaders.map(({ icon, name, supported_project_types, group }) => ({
  icon: svgOf(icon),
  name,
  supported_project_types,
  supported_games: ['minecraft-java'],
  supported_fields: loaderFieldsOf([name]),
  metadata: group in platforms ? { platform: platforms[group] } : {},
}));
const linkPlatforms = [
  ...[...linkColumns.keys()].map((name) => ({ name, donation: false })),
  ...donationPlatforms.map(({ short }) => ({ name: short, donation: true })),
];

/** A value of an enumerated loader field, with its metadata flattened. */
const fieldValue = z.object({
  id: z.int(),
  enum_id: z.int(),
  value: text,
  ordering: z.int().nullable(),
  created: text,
  type: text.optional(),
  major: z.boolean().optional(),
});
type FieldValue = z.input<typeof fieldValue>;

/** Values that came with the product have this date. */
const built_in = '2023-01-01T00:00:00Z';
const fixed = (enum_id: number, values: readonly string[]) => async (): Promise<FieldValue[]> =>
  values.map((value, index) => ({ id: index + 1, enum_id, value, ordering: index, created: built_in }));

/** The values of each field; the ids of game versions count from the oldest, so that new ones leave them alone. */
const fieldValues: Readonly<Record<string, (db: Db) => Promise<FieldValue[]>>> = {
  environment: fixed(1, environments),
  game_versions: async (db) => {
    const known = await gameVersions(db);
    return known.map(({ version, version_type, date, major }, index) => ({
      id: known.length - index,
      enum_id: 2,
      value: version,
      ordering: null,
      created: date,
      type: version_type,
      major,
    }));
  },
  mrpack_loaders: fixed(3, packLoaderNames),
};
const filters = jsonText(
  z.record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean(), z.null()])),
);

/** Tags, games and loader fields of v3. Source: api-v3 §3.5. */
export function tagRoutesV3(api: Api): void {
  commonTagRoutes(api, '/license');
  listRoute(api, '/games', 'Every game', { answer: z.array(game), value: games });
  listRoute(api, '/tag/loader', 'Every loader, that of modpacks included', {
    answer: z.array(loader),
    value: loaderList,
  });
  listRoute(api, '/link_platform', 'Every platform of project links', {
    answer: z.array(z.object({ name: text, donation: z.boolean() })),
    value: linkPlatforms,
  });

  publicRoute(api, {
    method: 'get',
    path: '/loader_field',
    summary: 'The values of a loader field; filters compare their metadata',
    tag: 'tags',
    query: z.object({ loader_field: text, filters: filters.optional() }),
    answer: z.array(fieldValue),
    handle: async ({ sql, query: { loader_field, filters: wanted = {} } }) => {
      const values = Object.hasOwn(fieldValues, loader_field) ? fieldValues[loader_field] : undefined;
      if (!values) {
        const problem = `loader_field must be one of ${Object.keys(fieldValues).join(', ')}`;
        throw new Refused('invalid_input', { problem });
      }
      return (await values(sql)).filter((one) =>
        Object.entries(wanted).every(([key, value]) => (one as Record<string, unknown>)[key] === value),
      );
    },
  });
}
