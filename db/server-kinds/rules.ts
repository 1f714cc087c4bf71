import type { RefusalCode } from '../errors.ts';

/** Which kinds of game server there are and what each offers: plain data for pages, islands, plane and agents. */

export const kindIds = ['local', 'itzg'] as const;
export type KindId = (typeof kindIds)[number];

/** Loaders in the order people are offered them; `null` in a server's row is `vanilla`. */
const serverLoaders = ['vanilla', 'paper', 'purpur', 'fabric', 'quilt', 'neoforge', 'forge'] as const;
export type ServerLoader = (typeof serverLoaders)[number];

export interface KindOffer {
  /** Newest first. */
  game_versions: readonly string[];
  /** What a new server gets unless somebody chose. */
  game_version: string;
  /** Versions of the game each loader is offered for. */
  loaders: Partial<Record<ServerLoader, readonly string[]>>;
}

/** Of the demo server; each version costs room in its image (`agents/images/local-image.ts`). */
const localVersions = ['1.21.4', '1.20.2', '1.16.5'] as const;
const versions = [
  '26.2',
  '26.1.2',
  '1.21.11',
  '1.21.8',
  '1.21.4',
  '1.21.1',
  '1.20.6',
  '1.20.4',
  '1.20.1',
  '1.19.4',
  '1.19.2',
  '1.18.2',
  '1.16.5',
  '1.12.2',
  '1.8.9',
] as const;
const since = (oldest: (typeof versions)[number]) => versions.slice(0, versions.indexOf(oldest) + 1);

/** What each kind offers. Source: hosting §1b. */
export const kindOffers: Record<KindId, KindOffer> = {
  // quick to start, which is what demo and tests want
  local: { game_versions: localVersions, game_version: '1.16.5', loaders: { vanilla: localVersions } },
  itzg: {
    game_versions: versions,
    game_version: '1.21.8',
    loaders: {
      vanilla: versions,
      paper: since('1.12.2'),
      purpur: since('1.16.5'),
      fabric: since('1.16.5'),
      quilt: since('1.16.5'),
      neoforge: since('1.20.4'),
      forge: since('1.12.2'),
    },
  },
};

export const isKind = (text: string): text is KindId => (kindIds as readonly string[]).includes(text);

/** Why a server of `kind` cannot have this game version and loader, or null. */
export function whyNotOffered(
  kind: string,
  game_version: string,
  loader: string | null = null,
): RefusalCode | null {
  if (!isKind(kind)) return 'server_kind_unknown';
  if (!kindOffers[kind].game_versions.includes(game_version)) return 'server_version_unknown';
  const offered: readonly string[] = loadersFor(kind, game_version);
  return offered.includes(loader ?? 'vanilla') ? null : 'server_loader_unknown';
}

/** The loaders of `kind` that run this version of the game, in their order. */
export const loadersFor = (kind: KindId, game_version: string): ServerLoader[] =>
  serverLoaders.filter((loader) => kindOffers[kind].loaders[loader]?.includes(game_version));
