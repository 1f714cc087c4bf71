import { projectTypesOf, sidesOf } from '../tags/rules.ts';

/** Fields of a listed or archived version that its project aggregates. */
export interface AggregatedVersion {
  loaders: readonly string[];
  mrpack_loaders: readonly string[];
  game_versions: readonly string[];
  environment: string;
  date_published: string;
}

const distinct = (lists: ReadonlyArray<readonly string[]>) => [...new Set(lists.flat())];

/**
 * The aggregated columns of a project from its listed and archived versions, oldest first. `game_versions` are
 * unsorted. Sides come from the oldest version, unless the project type determines them. Source: api-behaviours §5,
 * §7.
 */
export function aggregateVersions(versions: readonly AggregatedVersion[]) {
  const loaders = distinct(versions.map((version) => version.loaders)).sort();
  const project_types = projectTypesOf(loaders);
  return {
    loaders,
    mrpack_loaders: distinct(versions.map((version) => version.mrpack_loaders)).sort(),
    game_versions: distinct(versions.map((version) => version.game_versions)),
    environments: distinct([versions.map((version) => version.environment)]).sort(),
    project_types: project_types as string[],
    ...sidesOf(versions[0]?.environment ?? 'unknown', project_types),
  };
}
