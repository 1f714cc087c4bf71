import { type ReleaseRow, releaseRows } from './data/releases.ts';

/** A release of the game and what follows from it; a fact is null while nobody wrote it down. */
export interface GameRelease {
  version: string;
  /** Format number of its resource packs and data packs, without the part after the dot; 0 when it has none. */
  resource_format: number | null;
  data_format: number | null;
  oldest_java: number | null;
  newest_java: number | null;
  /** Loaders of the servers that are offered with it; empty when none is. */
  server_loaders: readonly string[] | null;
}

const releaseOf = ([version, ...facts]: ReleaseRow): GameRelease => {
  const [resource_format, data_format, oldest_java, newest_java, loaders] = facts;
  const server_loaders = loaders === null ? null : loaders.split(' ').filter((name) => name !== '');
  return { version, resource_format, data_format, oldest_java, newest_java, server_loaders };
};

/** Every known release, newest first: the one list that pack formats, Java versions and offers of servers come from. */
export const gameReleases: readonly GameRelease[] = releaseRows.map(releaseOf);

interface Listed {
  version: string;
  version_type: string;
}

/** The rows for a list of game versions, in its order: known ones as they are, new releases without facts. */
export const rowsFor = (listed: readonly Listed[]): ReleaseRow[] =>
  listed
    .filter(({ version_type }) => version_type === 'release')
    .map(
      ({ version }) =>
        releaseRows.find(([known]) => known === version) ?? [version, null, null, null, null, null],
    );

/** The releases of which a fact is missing: pack formats, Java or loaders. */
export const withoutFacts = (rows: readonly ReleaseRow[]): string[] =>
  rows.filter((row) => row.includes(null)).map(([version]) => version);

/** Numbers, and what follows the first dash: `1.20.2-rc1` -> [1, 20, 2] and ['rc', '1']. */
export const versionParts = (version: string): { numbers: number[]; rest: string[] | null } => {
  const dash = version.indexOf('-');
  const [main, rest] = dash < 0 ? [version, null] : [version.slice(0, dash), version.slice(dash + 1)];
  return {
    numbers: main.split('.').map(Number),
    rest: rest === null ? null : (rest.toLowerCase().match(/[a-z]+|\d+/g) ?? []),
  };
};

/** The order of two numbered versions; a pre-release comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [versionParts(a), versionParts(b)];
  for (let i = 0; i < Math.max(left.numbers.length, right.numbers.length); i++) {
    const difference = (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  if (!left.rest || !right.rest) return Number(!left.rest) - Number(!right.rest);
  for (let i = 0; i < Math.max(left.rest.length, right.rest.length); i++) {
    const [one, other] = [left.rest[i], right.rest[i]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const [n, m] = [Number(one), Number(other)];
    const difference = Number.isNaN(n) || Number.isNaN(m) ? (one < other ? -1 : +(one > other)) : n - m;
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
