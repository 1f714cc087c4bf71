import type { Messages } from '#content/messages.ts';
import type { GameVersion } from '#db/catalogue/tags/read.ts';
import {
  categoriesOf,
  categoryTypeOf,
  headers,
  loaders,
  type ProjectType,
  packLoaderNames,
} from '#db/catalogue/tags/rules.ts';
import { headerName, tagName } from '../../platform/text/format.ts';
import type { Known } from './query-notices.ts';
import type { RequestedType, SearchState } from './state.ts';

export interface Item {
  value: string;
  name: string;
  /** The content of an SVG on a 24 grid. */
  icon?: string | undefined;
}

/** The filters under one heading. */
export interface Group {
  title: string;
  /** The list in the state that its values belong to. */
  list: RequestedType;
  items: Item[];
  /** Rarely used values. */
  more: Item[];
  /** Whether its values can be excluded too. */
  exclude: boolean;
}

const platforms = 'plugin_platform';
const packLoaders: ReadonlySet<string> = new Set(packLoaderNames);
const sided = new Set<ProjectType>(['mod', 'modpack']);
/** Whether projects of one type are searched by where they run. */
export const hasSides = (type: ProjectType): boolean => sided.has(type);
/** For these types appearance and performance come before loaders. */
const categoriesByType = new Set<ProjectType>(['resourcepack', 'shader']);

/** The loaders that one type is searched by. */
export const loadersFor = (type: ProjectType) =>
  loaders.filter(({ name, supported_project_types }) =>
    type === 'modpack' ? packLoaders.has(name) : name !== 'mrpack' && supported_project_types.includes(type),
  );
/** The categories of one type, in display order. */
export const categoriesFor = (type: ProjectType) =>
  categoriesOf([type]).filter(({ project_type }) => project_type === categoryTypeOf(type));

/** The valid filter values of one type. */
export const knownOf = (type: ProjectType, versions: readonly GameVersion[]): Known => ({
  categories: new Set(categoriesFor(type).map(({ name }) => name)),
  loaders: new Set(loadersFor(type).map(({ name }) => name)),
  versions: new Set(versions.map(({ version }) => version)),
});

/** The labels of categories and loaders. */
export const namesOf = (messages: Messages, type: ProjectType): ReadonlyMap<string, string> =>
  new Map([...categoriesFor(type), ...loadersFor(type)].map(({ name }) => [name, tagName(messages, name)]));

/**
 * The filters of a search page, in display order. Rarely used loaders are under "more"; resolutions cannot be excluded;
 * only mods and modpacks have environments. Source: screens §A.4; specification §5.
 */
export function groupsOf(
  messages: Messages,
  type: ProjectType,
  versions: readonly GameVersion[],
  state: SearchState,
  drawing: (icon: string) => string,
): Group[] {
  const { t } = messages;
  const item = ({ name, icon }: { name: string; icon: string }): Item => ({
    value: name,
    name: tagName(messages, name),
    icon: drawing(icon),
  });
  const loaderGroup = (title: string, of: typeof loaders): Group => ({
    title,
    list: 'loaders',
    items: of.filter(({ hidden }) => !hidden).map(item),
    more: of.filter(({ hidden }) => hidden).map(item),
    exclude: true,
  });
  const own = loadersFor(type);
  const loaderGroups = [
    loaderGroup(
      t('search.loader'),
      own.filter(({ group }) => group !== platforms),
    ),
    loaderGroup(
      t('search.platform'),
      own.filter(({ group }) => group === platforms),
    ),
  ].filter(({ items, more }) => items.length + more.length > 1);
  const categories = headers.map(
    (header): Group => ({
      title: headerName(messages, header),
      list: 'categories',
      items: categoriesFor(type)
        .filter((category) => category.header === header)
        .map(item),
      more: [],
      exclude: header !== 'resolutions',
    }),
  );
  const sides: Group = {
    title: t('search.runs_on'),
    list: 'sides',
    items: [
      { value: 'client', name: t('search.client') },
      { value: 'server', name: t('search.server') },
    ],
    more: [],
    exclude: true,
  };
  const game: Group = {
    title: t('search.game_version'),
    list: 'versions',
    items: listedVersions(versions, state).map((value) => ({ value, name: value })),
    more: [],
    exclude: true,
  };
  const groups = categoriesByType.has(type)
    ? [...categories.reverse(), ...loaderGroups, game]
    : [game, ...loaderGroups, ...categories, ...(hasSides(type) ? [sides] : [])];
  return groups.filter(({ items }) => items.length > 0);
}

/** Releases, with `all_versions` every version; selected ones always, and first. */
export function listedVersions(versions: readonly GameVersion[], state: SearchState): string[] {
  const chosen = new Set([...state.versions, ...state.not_versions]);
  return versions
    .filter(
      ({ version, version_type }) => version_type === 'release' || state.all_versions || chosen.has(version),
    )
    .map(({ version }) => version)
    .sort((a, b) => Number(chosen.has(b)) - Number(chosen.has(a)));
}
