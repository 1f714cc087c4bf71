import { gameReleases } from '../../catalogue/game-releases/rules.ts';
import type { RefusalCode } from '../../platform/errors.ts';
import { type ServerLoader, serverLoaderNames } from './data/loaders.ts';

/** Kinds of game servers and what each offers: plain data for pages, islands, control plane and agents. */

export const kindIds = ['local', 'itzg'] as const;
export type KindId = (typeof kindIds)[number];

export interface KindOffer {
  /** Newest first: the first one is the default for a new server. */
  game_versions: readonly [string, ...string[]];
  /** A version that suits this kind better than the newest, or null. */
  advised: string | null;
  /** Game versions for which each loader is offered. */
  loaders: Partial<Record<ServerLoader, readonly string[]>>;
}

/** Versions of the demo server; each adds to the size of its image (`agents/images/local-image.ts`). */
const localVersions = ['1.21.4', '1.20.2', '1.16.5'] as const;
const offered = gameReleases.filter(({ server_loaders }) => server_loaders?.length);
const versionsOf = (releases: typeof offered) =>
  releases.map(({ version }) => version) as [string, ...string[]];
const versionsWith = (loader: ServerLoader): string[] =>
  versionsOf(offered.filter(({ server_loaders }) => server_loaders!.includes(loader)));

/** What each kind offers. Source: hosting §1b. */
export const kindOffers: Record<KindId, KindOffer> = {
  // the demo server starts fastest with its oldest version
  local: {
    game_versions: localVersions,
    advised: '1.16.5',
    // it runs the same game for every loader and names the files that one would load
    loaders: Object.fromEntries(serverLoaderNames.map((loader) => [loader, localVersions])),
  },
  itzg: {
    game_versions: versionsOf(offered),
    advised: null,
    loaders: Object.fromEntries(serverLoaderNames.map((loader) => [loader, versionsWith(loader)])),
  },
};

export const isKind = (text: string): text is KindId => (kindIds as readonly string[]).includes(text);

/** The game version of a new server of `kind` unless its owner chooses another: the newest. */
export const defaultVersion = (kind: KindId): string => kindOffers[kind].game_versions[0];

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

/** The loaders of `kind` that support this game version, in display order. */
export const loadersFor = (kind: KindId, game_version: string): ServerLoader[] =>
  serverLoaderNames.filter((loader) => kindOffers[kind].loaders[loader]?.includes(game_version));
