import type { Version } from '#db/catalogue/versions/shape.ts';

type Dependency = Version['dependencies'][number];

/** What one version has and another one has not. */
interface Difference<T> {
  added: T[];
  removed: T[];
}

/** What changed from one version of a project to a later one. */
export interface VersionChanges {
  loaders: Difference<string>;
  game_versions: Difference<string>;
  /** `changed`: on the same project or file, but another version or kind. */
  dependencies: Difference<Dependency> & { changed: Array<{ before: Dependency; after: Dependency }> };
  /** Bytes of all files. */
  size: { before: number; after: number };
  /** Null when it stayed the same. */
  environment: { before: string; after: string } | null;
}

/** What changed from `before` to `after`. */
export const compareVersions = (before: Version, after: Version): VersionChanges => ({
  loaders: difference(before.loaders, after.loaders),
  game_versions: difference(before.game_versions, after.game_versions),
  dependencies: dependencyChanges(before.dependencies, after.dependencies),
  size: { before: sizeOf(before), after: sizeOf(after) },
  environment:
    before.environment === after.environment
      ? null
      : { before: before.environment, after: after.environment },
});

/** Bytes of all files of a version. */
export const sizeOf = ({ files }: Pick<Version, 'files'>): number =>
  files.reduce((sum, { size }) => sum + size, 0);

function difference(before: readonly string[], after: readonly string[]): Difference<string> {
  const [old, now] = [new Set(before), new Set(after)];
  return { added: after.filter((one) => !old.has(one)), removed: before.filter((one) => !now.has(one)) };
}

const targetOf = ({ project_id, version_id, file_name }: Dependency) =>
  project_id ?? version_id ?? file_name ?? '';
const exactly = (one: Dependency) =>
  JSON.stringify([one.project_id, one.version_id, one.file_name, one.dependency_type]);

function dependencyChanges(
  before: readonly Dependency[],
  after: readonly Dependency[],
): VersionChanges['dependencies'] {
  const [old, now] = [new Set(before.map(exactly)), new Set(after.map(exactly))];
  const gone = new Map<string, Dependency[]>();
  for (const one of before.filter((one) => !now.has(exactly(one)))) {
    const target = targetOf(one);
    gone.set(target, [...(gone.get(target) ?? []), one]);
  }
  const found: VersionChanges['dependencies'] = { added: [], removed: [], changed: [] };
  for (const one of after.filter((one) => !old.has(exactly(one)))) {
    const previous = gone.get(targetOf(one))?.shift();
    if (previous) found.changed.push({ before: previous, after: one });
    else found.added.push(one);
  }
  found.removed = [...gone.values()].flat();
  return found;
}
