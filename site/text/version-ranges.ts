import type { Messages } from '#content/messages.ts';

interface GameVersion {
  version: string;
  version_type: string;
}

/** Runs of neighbours in `all` (newest first) among those in `wanted`, each from newest to oldest. */
function runs(all: readonly GameVersion[], wanted: ReadonlySet<string>): string[][] {
  const found: string[][] = [];
  let open: string[] | null = null;
  for (const { version } of all) {
    if (!wanted.has(version)) open = null;
    else if (open) open.push(version);
    else {
      open = [version];
      found.push(open);
    }
  }
  return found;
}

/**
 * Game versions for people, newest first: neighbouring releases become `1.20–1.20.4` whatever snapshots lie between
 * them; snapshots stand apart unless they follow one another; versions that `all` does not know come last.
 * `all` is the list of game versions, newest first. Source: screens, Formatting.
 */
export function versionRanges(
  { t }: Messages,
  versions: readonly string[],
  all: readonly GameVersion[],
): string[] {
  const wanted = new Set(versions);
  const place = new Map(all.map(({ version }, index) => [version, index]));
  const releases = all.filter(({ version_type }) => version_type === 'release');
  const isRelease = new Set(releases.map(({ version }) => version));
  const others = new Set(versions.filter((version) => !isRelease.has(version)));
  return [
    ...[...runs(releases, wanted), ...runs(all, others)]
      .sort((a, b) => place.get(a[0]!)! - place.get(b[0]!)!)
      .map((run) =>
        run.length === 1 ? run[0]! : t('format.version_range', { oldest: run.at(-1)!, newest: run[0]! }),
      ),
    ...[...wanted].filter((version) => !place.has(version)),
  ];
}
