/** What a game server with a loader is like. Islands import this table: facts only. */
interface LoaderOfServers {
  /** What it loads besides data packs, which every server loads. */
  content: 'mod' | 'plugin' | null;
  /** For what those are made: they stay in use when the next loader loads files for all of it. */
  files: readonly string[];
  /**
   * What its versions are: numbers of builds, versions of its own, or versions that are each for one version of the game,
   * with an example; null when it has none.
   */
  versions: { are: 'builds' | 'own' | 'for_game'; example: string } | null;
  /** Whether it refuses a second join from one address for some seconds. */
  throttles_joins?: true;
}

/** Every loader of game servers, in display order; each but `vanilla` is one of the catalogue. Source: hosting §1b. */
const serverLoaders = {
  // the game without a loader: null in a server's row
  vanilla: { content: null, files: [], versions: null },
  paper: {
    content: 'plugin',
    files: ['plugins'],
    versions: { are: 'builds', example: '232' },
    throttles_joins: true,
  },
  purpur: {
    content: 'plugin',
    files: ['plugins'],
    versions: { are: 'builds', example: '2416' },
    throttles_joins: true,
  },
  fabric: { content: 'mod', files: ['fabric'], versions: { are: 'own', example: '0.16.14' } },
  quilt: { content: 'mod', files: ['quilt', 'fabric'], versions: { are: 'own', example: '0.27.1' } },
  neoforge: { content: 'mod', files: ['neoforge'], versions: { are: 'for_game', example: '21.4.111' } },
  forge: { content: 'mod', files: ['forge'], versions: { are: 'for_game', example: '54.1.0' } },
} as const satisfies Record<string, LoaderOfServers>;
export type ServerLoader = keyof typeof serverLoaders;

export const serverLoaderNames = Object.keys(serverLoaders) as ServerLoader[];

/** The loader of a server's row; undefined when no server has it. */
export const serverLoader = (loader: string | null): LoaderOfServers | undefined =>
  Object.hasOwn(serverLoaders, loader ?? 'vanilla')
    ? serverLoaders[(loader ?? 'vanilla') as ServerLoader]
    : undefined;
