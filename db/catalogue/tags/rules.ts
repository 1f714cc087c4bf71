import { categoryData } from './data/categories.ts';
import type { environments, projectTypes, sideTypes } from './data/lists.ts';
import { alsoLoads, loaderData, loadersByUse, packLoaderNames } from './data/loaders.ts';

export {
  donationPlatforms,
  environments,
  gameVersionTypes,
  projectTypes,
  reportTypes,
  sideTypes,
} from './data/lists.ts';
export { packLoaderNames } from './data/loaders.ts';

export type ProjectType = (typeof projectTypes)[number];
type SideType = (typeof sideTypes)[number];
export type Environment = (typeof environments)[number];
export type CategoryType = keyof typeof categoryData;
type LoaderGroup = (typeof loaderData)[number][3];

export interface Category {
  name: string;
  project_type: CategoryType;
  header: string;
  /** Name of the icon; `icons.ts` gives the SVG on servers. */
  icon: string;
}

export interface Loader {
  name: string;
  icon: string;
  /** Project types of the loader in v3; `loadersV2` adds those of the v2 list. */
  supported_project_types: ProjectType[];
  group: LoaderGroup;
  /** Shown after the others in filters. */
  hidden: boolean;
  /** Whether its versions have an environment. */
  environment: boolean;
}

/** Display order of headers. Source: specification §9 (category sort: by header). */
export const headers = ['categories', 'features', 'performance impact', 'resolutions'] as const;

/** Every category tag, by project type, header and position. */
export const categories: readonly Category[] = (Object.keys(categoryData) as CategoryType[]).flatMap(
  (project_type) =>
    headers.flatMap((header) => {
      const of = categoryData[project_type] as Record<string, ReadonlyArray<readonly [string, string]>>;
      return (of[header] ?? []).map(([name, icon]) => ({ name, project_type, header, icon }));
    }),
);

/** The project type whose categories `type` uses: plugins and data packs share those of mods. */
export const categoryTypeOf = (type: string): CategoryType =>
  type in categoryData ? (type as CategoryType) : 'mod';

/** The categories that a project of these types may have, in display order without duplicates. */
export function categoriesOf(types: readonly string[]): Category[] {
  const requested = new Set(types.map(categoryTypeOf));
  const found = new Set<string>();
  return categories.filter(
    ({ name, project_type }) => requested.has(project_type) && !found.has(name) && found.add(name),
  );
}

const rankOf = new Map<string, number>();
for (const [place, { name }] of [...categories]
  .sort((a, b) => headers.indexOf(a.header as never) - headers.indexOf(b.header as never))
  .entries()) {
  if (!rankOf.has(name)) rankOf.set(name, place);
}

/**
 * Category names by header, resolutions by number, performance from potato up; unknown ones last. Source:
 * specification §9.
 */
export const sortCategories = (names: readonly string[]): string[] =>
  [...names].sort(
    (a, b) => (rankOf.get(a) ?? 9999) - (rankOf.get(b) ?? 9999) || (a < b ? -1 : a > b ? 1 : 0),
  );

/** Every loader, `mrpack` included, sorted by name. */
export const loaders: readonly Loader[] = loaderData.map(
  ([name, icon, types, group, shown, environment]) => ({
    name,
    icon,
    supported_project_types: [...types],
    group,
    hidden: shown === 'hidden',
    environment: environment !== '',
  }),
);

const loaderOf = new Map(loaders.map((loader) => [loader.name, loader]));

const placeOfLoader = new Map<string, number>(loadersByUse.map((name, place) => [name, place]));

/** Names of loaders without duplicates, the most used first; the others follow by name. */
export const sortLoaders = (names: readonly string[]): string[] =>
  [...new Set(names)].sort(
    (a, b) =>
      (placeOfLoader.get(a) ?? loaders.length) - (placeOfLoader.get(b) ?? loaders.length) || (a < b ? -1 : 1),
  );

/** What stands for a loader where a kind of project needs none: nobody has to choose it. */
const kindLoaders: ReadonlySet<string> = new Set(['datapack', 'minecraft', 'mrpack']);
export const isKindLoader = (name: string): boolean => kindLoaders.has(name);

export const isLoader = (name: string): boolean => loaderOf.has(name);

/** Whether versions for these loaders have an environment. Source: api-v3 §2.3. */
export const haveEnvironment = (names: readonly string[]): boolean =>
  names.some((name) => loaderOf.get(name)?.environment);

const packLoaders: ReadonlySet<string> = new Set(packLoaderNames);

/**
 * The loaders that people choose among for projects of these types, the most used first, without those that are hardly used; for
 * all types when none is given. What stands for a kind is among them only beside other kinds.
 */
export function loadersToChoose(types: readonly string[]): string[] {
  const fits = ({ name, supported_project_types }: Loader) =>
    types.length === 0
      ? !kindLoaders.has(name)
      : supported_project_types.some((type) => types.includes(type)) ||
        (types.includes('modpack') && packLoaders.has(name));
  const names = loaders.filter((loader) => !loader.hidden && fits(loader)).map(({ name }) => name);
  const real = names.filter((name) => !kindLoaders.has(name));
  return sortLoaders(real.length === 0 ? [] : names);
}

/** The loaders whose files `loader` loads: its own, then those of its relatives. */
export const loadedBy = (loader: string): string[] => [
  loader,
  ...(Object.hasOwn(alsoLoads, loader) ? alsoLoads[loader]! : []),
];

/** The loaders whose versions have an environment. */
export const environmentLoaders: string[] = loaders
  .filter(({ environment }) => environment)
  .map(({ name }) => name);

/**
 * Loaders as v2 lists them: no `mrpack`; `project` for all, `modpack` for the four pack loaders, `mod` for the data
 * pack and plugin loaders. Source: api-v2 §11.
 */
export const loadersV2: ReadonlyArray<
  Omit<Loader, 'supported_project_types'> & { supported_project_types: string[] }
> = loaders
  .filter(({ name }) => name !== 'mrpack')
  .map((loader) => ({
    ...loader,
    supported_project_types: [
      'project',
      ...(['datapack', 'plugin', 'plugin_platform'].includes(loader.group) ? ['mod'] : []),
      ...loader.supported_project_types,
      ...(packLoaders.has(loader.name) ? ['modpack'] : []),
    ],
  }));

/**
 * Project types of a project with versions for these loaders: sorted, without duplicates. Source: api-behaviours §7.2.
 */
export const projectTypesOf = (names: readonly string[]): ProjectType[] =>
  [...new Set(names.flatMap((name) => loaderOf.get(name)?.supported_project_types ?? []))].sort();

/** The main type of a project: modpack if present, else the first of the sorted list; null without any. */
function leadingType(types: readonly string[]): string | null {
  if (types.includes('modpack')) return 'modpack';
  return [...types].sort()[0] ?? null;
}

/** v2 `project_type`: plugins and data packs count as mods, no type as `project`. Source: api-behaviours §7.2. */
export function v2ProjectType(types: readonly string[]): string {
  const type = leadingType(types);
  if (type === 'plugin' || type === 'datapack') return 'mod';
  return type ?? 'project';
}

export interface Sides {
  client_side: SideType;
  server_side: SideType;
}
const sides = (client_side: SideType, server_side: SideType): Sides => ({ client_side, server_side });

const environmentSides: Record<Environment, Sides> = {
  client_and_server: sides('required', 'required'),
  singleplayer_only: sides('required', 'required'),
  client_only: sides('required', 'unsupported'),
  client_only_server_optional: sides('required', 'optional'),
  server_only: sides('unsupported', 'required'),
  dedicated_server_only: sides('unsupported', 'required'),
  server_only_client_optional: sides('optional', 'required'),
  client_or_server: sides('optional', 'optional'),
  client_or_server_prefers_both: sides('optional', 'optional'),
  unknown: sides('unknown', 'unknown'),
};

const typeSides: Record<string, Sides> = {
  plugin: sides('unsupported', 'required'),
  datapack: sides('optional', 'required'),
  shader: sides('required', 'unsupported'),
  resourcepack: sides('required', 'unsupported'),
};

/**
 * v2 sides of an environment; the main project type takes precedence where it determines them. Source: api-behaviours
 * §7.1.
 */
export function sidesOf(environment: string, types: readonly string[] = []): Sides {
  return (
    typeSides[leadingType(types) ?? ''] ??
    environmentSides[environment as Environment] ??
    environmentSides.unknown
  );
}

const sidesEnvironment: Record<string, Environment> = {
  'required required': 'client_and_server',
  'required unsupported': 'client_only',
  'required optional': 'client_only_server_optional',
  'unsupported required': 'server_only',
  'optional required': 'server_only_client_optional',
  'optional optional': 'client_or_server',
};

/** The environment to store for v2 sides; `unknown` for pairs without one. Source: api-behaviours §7.1. */
export const environmentOf = (client_side: string, server_side: string): Environment =>
  sidesEnvironment[`${client_side} ${server_side}`] ?? 'unknown';

/** The loaders as the v2 API shows them: a pack's own loaders replace `mrpack`. Source: api-v2 §2.2. */
export const displayLoaders = (version: {
  loaders: readonly string[];
  mrpack_loaders: readonly string[];
}): string[] => [
  ...new Set([...version.loaders.filter((loader) => loader !== 'mrpack'), ...version.mrpack_loaders]),
];
