import type { GameVersion } from '#db/catalogue/tags/read.ts';
import { loaders as allLoaders, sortLoaders } from '#db/catalogue/tags/rules.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { answering, type Offer } from './rules.ts';

/** The download options of a project: every build that is a recommendation, and all game versions and loaders. */
export interface ProjectOffer extends Offer<Version> {
  /** The `games` that are not releases. */
  snapshots: ReadonlySet<string>;
}

/** Maximum number of builds in one offer; older ones are in the version list. */
const max_builds = 1000;

/**
 * The download options of a project with these versions, newest first. Game versions: all supported ones, and the
 * releases from the newest of all down to its oldest, so that visitors find theirs even without a build. Loaders: its
 * own, then the others of their groups that are not hidden, the most used first: the first that fits is chosen.
 */
export function offerOf(versions: readonly Version[], gameVersions: readonly GameVersion[]): ProjectOffer {
  const builds = answering(versions.filter(({ files }) => files.length > 0)).slice(0, max_builds);
  const built = new Set(builds.flatMap(({ game_versions }) => game_versions));
  const oldest = gameVersions.findLastIndex(({ version }) => built.has(version));
  const known = gameVersions.filter(
    ({ version, version_type }, index) =>
      built.has(version) || (version_type === 'release' && index < oldest),
  );
  const named = new Set(known.map(({ version }) => version));
  const own = new Set(builds.flatMap(({ loaders }) => loaders));
  const groups = new Set(allLoaders.filter(({ name }) => own.has(name)).map(({ group }) => group));
  const others = allLoaders.filter(
    ({ name, group, hidden }) => !hidden && groups.has(group) && !own.has(name),
  );
  return {
    builds,
    games: [...named, ...[...built].filter((version) => !named.has(version))],
    loaders: [...sortLoaders([...own]), ...sortLoaders(others.map(({ name }) => name))],
    snapshots: new Set(
      known.filter(({ version_type }) => version_type !== 'release').map(({ version }) => version),
    ),
  };
}
