import type { GameVersion } from '#db/tags/read.ts';
import { loaders as allLoaders } from '#db/tags/rules.ts';
import type { Version } from '#db/versions/shape.ts';
import { answering, type Offer } from './rules.ts';

/** What a project offers for download: every build that is an answer, and everything one may look for. */
export interface ProjectOffer extends Offer<Version> {
  /** Those of `games` that are no releases. */
  snapshots: ReadonlySet<string>;
}

/** Builds in one offer; whoever looks for older ones finds them in the list of versions. */
const max_builds = 1000;

/**
 * The offer of a project with these versions, newest first. Game versions: all that it was built for, and the releases
 * from the newest of all down to its oldest, so that people find theirs even when nothing was built for it. Loaders: its
 * own by name, then the others of their groups that are not hidden.
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
    loaders: [...[...own].sort(), ...others.map(({ name }) => name)],
    snapshots: new Set(
      known.filter(({ version_type }) => version_type !== 'release').map(({ version }) => version),
    ),
  };
}
