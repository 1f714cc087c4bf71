import type { Messages } from '#content/messages.ts';
import type { GameVersion } from '#db/tags/read.ts';
import { categoriesOf, categoryTypeOf, headers, loaders, type ProjectType } from '#db/tags/rules.ts';
import { headerName, tagName } from '../text/format.ts';
import type { SearchState } from './state.ts';

export interface Item {
  value: string;
  name: string;
  icon?: string | undefined;
}
export interface Groups {
  versions: Item[];
  loaders: Array<{ title: string; items: Item[]; more: Item[] }>;
  categories: Array<{ title: string; items: Item[]; exclude: boolean }>;
  /** Whether its projects say where they run. */
  sides: boolean;
}

const platforms = 'plugin_platform';
const packLoaders = new Set(['fabric', 'forge', 'neoforge', 'quilt']);

/**
 * The filters of one search screen. Loaders that few use come under "more"; resolutions cannot be left out; only mods
 * and modpacks have environments. Source: screens A.4; specification §5.
 */
export function groupsOf(
  messages: Messages,
  type: ProjectType,
  versions: readonly GameVersion[],
  state: SearchState,
  drawing: (icon: string) => string,
): Groups {
  const item = ({ name, icon }: { name: string; icon: string }): Item => ({
    value: name,
    name: tagName(messages, name),
    icon: drawing(icon),
  });
  const group = (title: string, of: typeof loaders) => ({
    title,
    items: of.filter(({ hidden }) => !hidden).map(item),
    more: of.filter(({ hidden }) => hidden).map(item),
  });
  const own = loaders.filter(({ name, supported_project_types }) =>
    type === 'modpack' ? packLoaders.has(name) : name !== 'mrpack' && supported_project_types.includes(type),
  );
  const grouped = [
    group(
      messages.t('search.loader'),
      own.filter((loader) => loader.group !== platforms),
    ),
    group(
      messages.t('search.platform'),
      own.filter((loader) => loader.group === platforms),
    ),
  ];
  const categories = categoriesOf([type]).filter(({ project_type }) => project_type === categoryTypeOf(type));
  return {
    versions: versions
      .filter(
        ({ version, version_type }) =>
          version_type === 'release' || state.all_versions || state.versions.includes(version),
      )
      .map(({ version }) => ({ value: version, name: version }))
      .sort((a, b) => Number(state.versions.includes(b.value)) - Number(state.versions.includes(a.value))),
    loaders: grouped.filter(({ items, more }) => items.length + more.length > 1),
    categories: headers
      .map((header) => ({
        title: headerName(messages, header),
        items: categories.filter((category) => category.header === header).map(item),
        exclude: header !== 'resolutions',
      }))
      .filter(({ items }) => items.length > 0),
    sides: type === 'mod' || type === 'modpack',
  };
}
