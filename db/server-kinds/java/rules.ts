/** Java versions of game servers. Source: hosting §1b. */

export const javaVersions = [8, 11, 17, 21, 25] as const;
export type JavaVersion = (typeof javaVersions)[number];

/** The oldest and newest Java that a version of the game runs with, and the one that suits it best. */
function javaOf(game_version: string): { from: JavaVersion; to: JavaVersion; best: JavaVersion } {
  const [era = 0, minor = 0, patch = 0] = game_version.split('.').map(Number);
  // since 2026 versions are named by year: 26.1
  if (era > 1) return { from: 25, to: 25, best: 25 };
  if (minor > 20 || (minor === 20 && patch >= 5)) return { from: 21, to: 25, best: 21 };
  if (minor >= 18) return { from: 17, to: 21, best: 17 };
  if (minor === 17) return { from: 17, to: 17, best: 17 };
  // Forge of these versions needs Java 8; everything else runs with it too
  return { from: 8, to: minor >= 12 ? 17 : 8, best: 8 };
}

/** The Java version of a server whose owner chose none. */
export const defaultJava = (game_version: string): JavaVersion => javaOf(game_version).best;

/** Java versions that a version of the game runs with, newest last. */
export function javaFor(game_version: string): JavaVersion[] {
  const { from, to } = javaOf(game_version);
  return javaVersions.filter((java) => java >= from && java <= to);
}
