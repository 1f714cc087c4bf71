import { loadedBy, loaders } from '../tags/rules.ts';

export const contentTypes = ['mod', 'plugin', 'datapack', 'resourcepack', 'shader', 'modpack'] as const;
export type ContentType = (typeof contentTypes)[number];

export const skipReasons = [
  'already_installed',
  'duplicate_project',
  'conflicting_dependency',
  'no_compatible_version',
  'missing_version',
  'quilt_fabric_api',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Limits of one plan: levels of dependencies, and versions in it. */
export const resolveLimits = { depth: 16, versions: 512, names: 1024, existing: 4096 } as const;

const ofType = (type: string): string[] =>
  loaders
    .filter(({ supported_project_types: types }) => (types as string[]).includes(type))
    .map(({ name }) => name);

/**
 * The loaders of acceptable versions for content of a type in a target with `wanted` loaders, best first; null accepts
 * any. Packs, shaders and data packs do not depend on the loader of mods. Dependencies may be of any type, mods first.
 */
export function acceptableLoaders(
  type: ContentType | 'dependency',
  wanted: readonly string[],
): readonly (readonly string[])[] | null {
  if (type === 'modpack') return [['mrpack']];
  if (type === 'resourcepack' || type === 'datapack') return [ofType(type)];
  if (type === 'shader') return [wanted.filter((name) => ofType(type).includes(name)), ofType(type)];
  if (wanted.length === 0) return type === 'dependency' ? null : [ofType(type), ['datapack']];
  const related = wanted.flatMap((name) => loadedBy(name).slice(1));
  const others = type === 'dependency' ? [...ofType('resourcepack'), ...ofType('shader')] : [];
  return [wanted, related, type === 'plugin' ? [] : ['datapack'], others];
}

/** Why a required dependency is left out of the plan, or null. `chosen` is the version of its project in the plan. */
export function whyNotAdd(
  dependency: { pinned: string | null; project_id: string },
  {
    chosen,
    existing,
    replaced,
  }: { chosen: string | undefined; existing: ReadonlySet<string>; replaced: ReadonlySet<string> },
): SkipReason | null {
  if (replaced.has(dependency.project_id)) return 'quilt_fabric_api';
  if (existing.has(dependency.project_id)) return 'already_installed';
  if (chosen === undefined) return null;
  return dependency.pinned !== null && dependency.pinned !== chosen
    ? 'conflicting_dependency'
    : 'duplicate_project';
}
