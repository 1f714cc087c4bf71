/** What a game server with a loader is like. Islands import this table: facts only. */
interface LoaderOfServers {
  /** What it loads besides data packs, which every server loads. */
  content?: 'mod' | 'plugin';
  /** The loader whose mods it loads beside its own. All servers with plugins load the same plugins. */
  also_loads?: string;
  /** What its versions are, if it has any: numbers of builds, versions of its own, or versions that are each for one version of the game. */
  versions?: 'builds' | 'own' | 'for_game';
  /** One of them. */
  example?: string;
  /** Whether it refuses a second join from one address for some seconds. */
  slow_joins?: true;
}

/** Every loader of game servers, in display order; each but `vanilla` is one of the catalogue. Source: hosting §1b. */
const serverLoaders = {
  // the game without a loader: null in a server's row
  vanilla: {},
  paper: { content: 'plugin', versions: 'builds', example: '232', slow_joins: true },
  purpur: { content: 'plugin', versions: 'builds', example: '2416', slow_joins: true },
  fabric: { content: 'mod', versions: 'own', example: '0.16.14' },
  quilt: { content: 'mod', also_loads: 'fabric', versions: 'own', example: '0.27.1' },
  neoforge: { content: 'mod', versions: 'for_game', example: '21.4.111' },
  forge: { content: 'mod', versions: 'for_game', example: '54.1.0' },
} as const satisfies Record<string, LoaderOfServers>;
export type ServerLoader = keyof typeof serverLoaders;

export const serverLoaderNames = Object.keys(serverLoaders) as ServerLoader[];

/** The loader of a server's row; undefined when no server has it. */
export const serverLoader = (loader: string | null): LoaderOfServers | undefined =>
  Object.hasOwn(serverLoaders, loader ?? 'vanilla')
    ? serverLoaders[(loader ?? 'vanilla') as ServerLoader]
    : undefined;
