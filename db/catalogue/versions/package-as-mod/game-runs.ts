import type { GameVersion } from '../../tags/read.ts';

/** Adjacent releases of the game, the oldest and the newest of them. */
export interface GameRun {
  first: string;
  last: string;
}

/**
 * The runs of releases that `versions` consist of, oldest first: manifests name ranges, a version lists every single one.
 * Null when one of them is no release: loaders give snapshots names of their own, so that no range can be trusted.
 * `known`: every game version, newest first.
 */
export function gameRuns(versions: readonly string[], known: readonly GameVersion[]): GameRun[] | null {
  const releases = known
    .filter(({ version_type }) => version_type === 'release')
    .map(({ version }) => version)
    .reverse();
  const places = versions.map((version) => releases.indexOf(version)).sort((a, b) => a - b);
  if (places.length === 0 || places[0]! < 0) return null;
  const runs: GameRun[] = [];
  for (const [index, place] of places.entries()) {
    const version = releases[place]!;
    if (index > 0 && place - places[index - 1]! <= 1) runs.at(-1)!.last = version;
    else runs.push({ first: version, last: version });
  }
  return runs;
}
