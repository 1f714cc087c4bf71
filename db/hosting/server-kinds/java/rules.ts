import { compareVersions, type GameRelease, gameReleases } from '../../../catalogue/game-releases/rules.ts';

/** Java versions of game servers. Source: hosting §1b. */

export const javaVersions = [8, 11, 17, 21, 25] as const;
export type JavaVersion = (typeof javaVersions)[number];

const known = gameReleases.filter(({ oldest_java }) => oldest_java !== null);

/** The facts of the release, or of the newest one before a version that the table does not know yet. */
const releaseOf = (game_version: string): GameRelease =>
  known.find(({ version }) => compareVersions(version, game_version) <= 0) ?? known[0]!;

/**
 * The Java version of a server whose owner chose none: the oldest that runs it, since Forge of old versions needs exactly
 * that one.
 */
export const defaultJava = (game_version: string): JavaVersion => javaFor(game_version)[0]!;

/** Java versions that a version of the game runs with, newest last. */
export function javaFor(game_version: string): JavaVersion[] {
  const { oldest_java, newest_java } = releaseOf(game_version);
  return javaVersions.filter((java) => java >= oldest_java! && java <= newest_java!);
}
