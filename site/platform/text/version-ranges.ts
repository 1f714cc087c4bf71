interface GameVersion {
  version: string;
  version_type: string;
}

interface Order {
  position: ReadonlyMap<string, number>;
  releases: readonly GameVersion[];
  isRelease: ReadonlySet<string>;
}
/** By list of game versions, of which there is one for many ranges: a table of versions has twenty rows. */
const orders = new WeakMap<readonly GameVersion[], Order>();

function orderOf(all: readonly GameVersion[]): Order {
  const known = orders.get(all);
  if (known) return known;
  const releases = all.filter(({ version_type }) => version_type === 'release');
  const order = {
    position: new Map(all.map(({ version }, index) => [version, index])),
    releases,
    isRelease: new Set(releases.map(({ version }) => version)),
  };
  orders.set(all, order);
  return order;
}

/** Runs of adjacent versions in `all` (newest first) among those in `requested`, each from newest to oldest. */
function runs(all: readonly GameVersion[], requested: ReadonlySet<string>): string[][] {
  const found: string[][] = [];
  if (requested.size === 0) return found;
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
  const { position, releases, isRelease } = orderOf(all);
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
