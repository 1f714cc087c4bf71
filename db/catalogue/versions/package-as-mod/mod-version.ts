import { haveEnvironment } from '../../tags/rules.ts';
import type { VersionRow } from '../row.ts';
import { settableStatuses } from '../rules.ts';
import type { CreateData } from '../shape.ts';
import type { ModLoader } from './manifests.ts';

/** What is chosen for the mod of a data pack. */
export interface ModChoice {
  version_number: string;
  loaders: readonly ModLoader[];
  /** The project of Fabric API, which Fabric and Quilt need to load data packs in mods; null when this site has none. */
  library: string | null;
}

/** The part that names the file of the mod. */
export const mod_part = 'mod';

/**
 * The version that the mod of `origin` becomes: everything but number, loaders and file is that of the data pack.
 * Without an environment of its own it runs as data packs do, on the server.
 */
export function modVersion(origin: VersionRow, { version_number, loaders, library }: ModChoice): CreateData {
  const { dependencies, environment, name } = origin;
  const needsLibrary =
    library !== null &&
    loaders.some((loader) => loader === 'fabric' || loader === 'quilt') &&
    !dependencies.some(({ project_id }) => project_id === library);
  return {
    project_id: origin.project_id,
    file_parts: [mod_part],
    version_number,
    name: name === origin.version_number ? version_number : name,
    changelog: origin.changelog,
    dependencies: [
      ...dependencies,
      ...(needsLibrary ? [{ project_id: library, dependency_type: 'required' as const }] : []),
    ],
    game_versions: origin.game_versions,
    version_type: origin.version_type,
    loaders: [...loaders],
    featured: false,
    environment:
      environment === 'unknown' && haveEnvironment(loaders)
        ? 'server_only_client_optional'
        : (environment as CreateData['environment']),
    status: settableStatuses.find((status) => status === origin.status) ?? 'draft',
  };
}

/** A plain name for the file, whatever stands in slug and number. */
export const modFilename = (slug: string, version_number: string): string =>
  `${`${slug}-${version_number}`.replace(/[^A-Za-z0-9._+-]+/g, '_')}.jar`;
