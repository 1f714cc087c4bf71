import type { MessageKey } from '#content/messages.ts';
import type { Project } from '#db/catalogue/projects/shape.ts';
import { loaders, type ProjectType } from '#db/catalogue/tags/rules.ts';

export interface ProjectTypeLabels {
  type: ProjectType;
  /** The path of its search page. */
  path: string;
  /** The plural name, for menus and tabs. */
  many: MessageKey;
  one: MessageKey;
  /** The number of results, with `count` and its formatted text, `shown`. */
  found: MessageKey;
  search: MessageKey;
}

/** The six project types in display order. Source: specification §2. */
export const projectTypes = [
  {
    type: 'mod',
    path: '/mods',
    many: 'project.mods',
    one: 'kinds.mod',
    found: 'search.found_mods',
    search: 'search.search_mods',
  },
  {
    type: 'modpack',
    path: '/modpacks',
    many: 'project.modpacks',
    one: 'kinds.modpack',
    found: 'search.found_modpacks',
    search: 'search.search_modpacks',
  },
  {
    type: 'plugin',
    path: '/plugins',
    many: 'project.plugins',
    one: 'kinds.plugin',
    found: 'search.found_plugins',
    search: 'search.search_plugins',
  },
  {
    type: 'datapack',
    path: '/datapacks',
    many: 'project.datapacks',
    one: 'kinds.datapack',
    found: 'search.found_datapacks',
    search: 'search.search_datapacks',
  },
  {
    type: 'resourcepack',
    path: '/resourcepacks',
    many: 'project.resourcepacks',
    one: 'kinds.resourcepack',
    found: 'search.found_resourcepacks',
    search: 'search.search_resourcepacks',
  },
  {
    type: 'shader',
    path: '/shaders',
    many: 'project.shaders',
    one: 'kinds.shader',
    found: 'search.found_shaders',
    search: 'search.search_shaders',
  },
] as const satisfies readonly ProjectTypeLabels[];

export type ProjectTypeInfo = (typeof projectTypes)[number];

export const typeInfo = (type: string): ProjectTypeInfo | undefined =>
  projectTypes.find((kind) => kind.type === type);
export const typeAtPath = (path: string): ProjectTypeInfo | undefined =>
  projectTypes.find((kind) => kind.path === path);

/** The type whose search page or project page `path` is. */
export const typeOfPath = (path: string): ProjectTypeInfo | undefined =>
  typeAtPath(path) ?? projectTypes.find(({ type }) => path.startsWith(`/${type}/`));

const pluginLoaders = new Set(
  loaders.filter(({ group }) => group === 'plugin' || group === 'plugin_platform').map(({ name }) => name),
);

/**
 * The type in a project's address: of those the API calls `mod`, data pack when it has that loader, else plugin with
 * any plugin loader, else mod. One without any loader yet has the type that it was started as, where `project_types` is known.
 * Source: specification §2 (project page shape).
 */
export function typeOfProject({
  project_type,
  loaders: names,
  project_types = [],
}: Pick<Project, 'project_type' | 'loaders'> & { project_types?: readonly string[] }): ProjectTypeInfo {
  const mod = projectTypes[0];
  const [started] = names.length === 0 && project_types.length === 1 ? project_types : [];
  if (started) return typeInfo(started) ?? mod;
  if (project_type !== 'mod') return typeInfo(project_type) ?? mod;
  if (names.includes('datapack')) return typeInfo('datapack')!;
  return names.some((name) => pluginLoaders.has(name)) ? typeInfo('plugin')! : mod;
}
