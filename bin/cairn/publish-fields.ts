import type { ManifestReading } from '#db/catalogue/manifests/read-manifests.ts';
import {
  dependencyTypes,
  limits,
  type settableStatuses,
  type versionTypes,
} from '#db/catalogue/versions/rules.ts';
import { createFields, publishFields } from '#db/catalogue/versions/shape.ts';
import { UserError } from '../user-error.ts';
import type { PublishApi } from './publish-api.ts';

/** Options of `cairn publish`; each wins over what the manifest says. */
export interface PublishOptions {
  project: string;
  name?: string;
  number?: string;
  channel?: (typeof versionTypes)[number];
  loader: string[];
  gameVersion: string[];
  dependency: string[];
  /** False by `--no-dependencies`. */
  dependencies: boolean;
  environment?: string;
  status?: (typeof settableStatuses)[number];
  featured?: true;
}

/** A dependency as the API takes it. */
interface SentDependency {
  project_id: string;
  dependency_type: string;
}

/**
 * The fields of a version from options and manifest, without its files. Fields that neither gives are a wrong use, and
 * the message names their options.
 */
export function versionFields(options: PublishOptions, manifest: ManifestReading | null) {
  const version_number = options.number ?? manifest?.version_number;
  const loaders = options.loader.length > 0 ? options.loader : (manifest?.loaders ?? []);
  const game_versions =
    options.gameVersion.length > 0 ? options.gameVersion : (manifest?.game_versions ?? []);
  const missing = [
    ...(version_number ? [] : ['--number']),
    ...(loaders.length > 0 ? [] : ['--loader']),
    ...(game_versions.length > 0 ? [] : ['--game-version']),
  ];
  if (!version_number || missing.length > 0)
    throw new UserError(`The manifest does not say everything: add ${missing.join(', ')}.`, 2);
  const environment = options.environment ?? manifest?.environment;
  const title = manifest?.name ? `${manifest.name} ${version_number}` : version_number;
  const fields = {
    version_number,
    name: options.name ?? [...title].slice(0, limits.name).join('').trim(),
    version_type: options.channel ?? (options.number ? null : manifest?.version_type) ?? 'release',
    loaders,
    game_versions,
    featured: options.featured ?? false,
    ...(options.status ? { status: options.status } : {}),
    ...(environment ? { environment } : {}),
  };
  assertAccepted(fields);
  return fields;
}

/** Refuses before anything is sent what the API would refuse after it got the files, in its words. */
function assertAccepted(fields: Record<string, unknown>): void {
  const checked = createFields.omit({ file_parts: true, dependencies: true }).extend(publishFields);
  const { error } = checked.omit({ project_id: true }).safeParse(fields);
  const problems = error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  if (problems) throw new UserError(`This cannot be published: ${problems.join('; ')}.`, 2);
}

const ids_at_once = 100;

/**
 * The dependencies by options, else by the manifest: ids become projects of this Cairn with that slug. Also gives those
 * of the manifest that it does not have. A project of an option that it does not have is a refusal.
 */
export async function dependenciesFor(
  api: PublishApi,
  options: PublishOptions,
  manifest: ManifestReading | null,
): Promise<{ dependencies: SentDependency[]; unknown: string[] }> {
  if (!options.dependencies) return { dependencies: [], unknown: [] };
  const given = options.dependency.map(dependencyOf);
  // the API keeps no dependency that has only the name of an embedded file
  const read = manifest?.dependencies.filter(({ dependency_type }) => dependency_type !== 'embedded') ?? [];
  const named = given.length > 0 ? given : read;
  const known = await projectsBySlug(
    api,
    named.map(({ id }) => id),
  );
  const dependencies: SentDependency[] = [];
  const unknown: string[] = [];
  for (const { id, dependency_type } of named) {
    const project_id = known.get(id.toLowerCase());
    if (!project_id) unknown.push(id);
    else if (!dependencies.some((one) => one.project_id === project_id))
      dependencies.push({ project_id, dependency_type });
  }
  if (given.length > 0 && unknown.length > 0)
    throw new UserError(`There is no project ${unknown.join(', ')} on this Cairn.`);
  return { dependencies, unknown };
}

function dependencyOf(text: string): { id: string; dependency_type: string } {
  const [kind = '', id = ''] = text.split(/:(.*)/s);
  if (id === '' || !dependencyTypes.some((one) => one === kind))
    throw new UserError(
      `--dependency ${text}: write KIND:PROJECT, KIND is one of ${dependencyTypes.join(', ')}.`,
      2,
    );
  return { id, dependency_type: kind };
}

/** Slug or id, in lower case -> id. */
async function projectsBySlug(api: PublishApi, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const possible = [...new Set(ids)].filter((id) => /^[\w!@$()`.+,"'-]{1,64}$/.test(id));
  for (let at = 0; at < possible.length; at += ids_at_once) {
    const some = JSON.stringify(possible.slice(at, at + ids_at_once));
    const projects = (await api.get(`/v2/projects?ids=${encodeURIComponent(some)}`)) as Array<{
      id: string;
      slug: string | null;
    }>;
    for (const { id, slug } of projects) {
      if (slug) found.set(slug.toLowerCase(), id);
      found.set(id.toLowerCase(), id);
    }
  }
  return found;
}
