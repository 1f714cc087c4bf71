interface GameVersion {
  version: string;
  version_type: string;
}

/** Runs of adjacent versions in `all` (newest first) among those in `requested`, each from newest to oldest. */
function runs(all: readonly GameVersion[], requested: ReadonlySet<string>): string[][] {
  const found: string[][] = [];
  let open: string[] | null = null;
  for (const { version } of all) {
    if (!requested.has(version)) open = null;
    else if (open) open.push(version);
    else {
      open = [version];
      found.push(open);
    }
  }
  return found;
}

/** A range of game versions: its label, and the versions in it, newest first. */
export interface VersionRange {
  name: string;
  versions: string[];
}

/** The labels of `rangesOf`. */
export const versionRanges = (...given: Parameters<typeof rangesOf>): string[] =>
  rangesOf(...given).map(({ name }) => name);

/**
 * Game versions as ranges, newest first: adjacent releases become `1.20–1.20.4` whatever snapshots lie between them;
 * snapshots are separate unless they are adjacent; versions missing in `all` come last. `all` is the list of game
 * versions, newest first. Source: screens §A.10 (Formatting).
 */
export function rangesOf(
  { t }: { t(key: 'format.version_range', values: { oldest: string; newest: string }): string },
  versions: readonly string[],
  all: readonly GameVersion[],
): VersionRange[] {
  const requested = new Set(versions);
  const position = new Map(all.map(({ version }, index) => [version, index]));
  const releases = all.filter(({ version_type }) => version_type === 'release');
  const isRelease = new Set(releases.map(({ version }) => version));
  const others = new Set(versions.filter((version) => !isRelease.has(version)));
  return [
    ...[...runs(releases, requested), ...runs(all, others)]
      .sort((a, b) => position.get(a[0]!)! - position.get(b[0]!)!)
      .map((run) => ({
        name:
          run.length === 1 ? run[0]! : t('format.version_range', { oldest: run.at(-1)!, newest: run[0]! }),
        versions: run,
      })),
    ...[...requested]
      .filter((version) => !position.has(version))
      .map((version) => ({ name: version, versions: [version] })),
  ];
}
