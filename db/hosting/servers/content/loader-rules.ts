import type { RefusalCode } from '../../../platform/errors.ts';
import { serverLoader } from '../../server-kinds/data/loaders.ts';
import { isKind, kindOffers, loadersFor, whyNotOffered } from '../../server-kinds/rules.ts';
import type { LoaderSpec } from './change-work.ts';

/** Rules for game version and loader of a server: the same for buttons, sockets and commands. Source: hosting §1b. */

/** A version of a loader that the catalogue names, and the game versions it is named with. */
interface KnownLoaderVersion {
  version: string;
  game_versions: string[];
}
/** By loader, newest first. */
export type KnownLoaderVersions = Record<string, KnownLoaderVersion[]>;

/** Most known versions of each loader. */
export const max_loader_versions = 50;

/** What a build looks like, and a version of any other loader. */
const build_pattern = /^\d{1,6}$/;
const version_pattern = /^\d+(\.\d+){1,3}([+-][\w.+-]{1,30})?$/;

/** `vanilla` is stored as null. */
export const storedLoader = (loader: string | null): string | null => (loader === 'vanilla' ? null : loader);

/** Whether versions of this loader can be chosen. */
export const hasLoaderVersions = (loader: string | null): boolean => !!serverLoader(loader)?.versions;

/** Whether each version of this loader is for one game version. */
const areForGame = (loader: string | null): boolean => serverLoader(loader)?.versions === 'for_game';

/** The known versions of a loader that fit a game version, newest first. */
export const loaderVersionsFor = (
  known: KnownLoaderVersions,
  { game_version, loader }: Pick<LoaderSpec, 'game_version' | 'loader'>,
): string[] =>
  (loader && Object.hasOwn(known, loader) ? known[loader]! : [])
    .filter((one) => !areForGame(loader) || one.game_versions.includes(game_version))
    .map(({ version }) => version);

/** What a kind of server can be: game versions, newest first, with their loaders in display order. */
export const loaderOffers = (kind: string): { game_version: string; loaders: string[] }[] =>
  isKind(kind)
    ? kindOffers[kind].game_versions.map((game_version) => ({
        game_version,
        loaders: loadersFor(kind, game_version),
      }))
    : [];

/**
 * Why a server of `kind` cannot become `to`, with the data of the refusal (`allowed`: what fits), or null. A version of a
 * loader may be unknown to the catalogue, but not known for another game version only.
 */
export function whyNotChangeLoader(
  { kind, now, known }: { kind: string; now: LoaderSpec; known: KnownLoaderVersions },
  to: LoaderSpec,
): { code: RefusalCode; data: Record<string, string> } | null {
  const { game_version, loader, loader_version } = to;
  const offers = loaderOffers(kind);
  const code = whyNotOffered(kind, game_version, loader);
  if (code === 'server_loader_unknown') {
    const allowed = offers.find((one) => one.game_version === game_version)?.loaders ?? [];
    return { code, data: { loader: loader ?? 'vanilla', allowed: allowed.join(', ') } };
  }
  const versions = offers.map((one) => one.game_version).join(', ');
  if (code) return { code, data: { kind, game_version, allowed: versions } };
  const data = {
    ...{ version: loader_version ?? '', loader: loader ?? 'vanilla', game_version },
    allowed: loaderVersionsFor(known, to).join(', ') || '–',
  };
  if (loader_version !== null && !isLoaderVersion(to, known))
    return { code: 'server_loader_version_unknown', data };
  return isSameLoader(now, to) ? { code: 'server_loader_unchanged', data: {} } : null;
}

function isLoaderVersion(
  { game_version, loader, loader_version }: LoaderSpec,
  known: KnownLoaderVersions,
): boolean {
  const versions = serverLoader(loader)?.versions;
  if (!versions) return false;
  if (!(versions === 'builds' ? build_pattern : version_pattern).test(loader_version!)) return false;
  if (!areForGame(loader) || !Object.hasOwn(known, loader!)) return true;
  const named = known[loader!]!.find(({ version }) => version === loader_version);
  return !named || named.game_versions.includes(game_version);
}

/** Whether nothing would change. */
export const isSameLoader = (now: LoaderSpec, to: LoaderSpec): boolean =>
  now.game_version === to.game_version &&
  storedLoader(now.loader) === storedLoader(to.loader) &&
  now.loader_version === to.loader_version;

/**
 * What becomes of installed mods and plugins: `kept` when they fit as before, `checked` when their versions may not fit
 * another game version, `unused` when the new loader does not load them.
 */
export function contentAfter(now: LoaderSpec, to: LoaderSpec): 'kept' | 'checked' | 'unused' {
  const [before, after] = [serverLoader(now.loader)?.content, serverLoader(to.loader)];
  if (!before) return 'kept';
  const loaded =
    before === 'plugin'
      ? after?.content === 'plugin'
      : [to.loader, after?.also_loads].includes(now.loader as string);
  if (!loaded) return 'unused';
  return now.game_version === to.game_version ? 'kept' : 'checked';
}

/** Whether `to` is an older version of the game than `now`, by their numbers: worlds cannot go back. */
export function isOlderGame(now: string, to: string): boolean {
  return compareVersions(to, now) < 0;
}

/** Orders version numbers by their numbers. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) =>
    text.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < Math.max(a!.length, b!.length); at++) {
    const difference = (a![at] ?? 0) - (b![at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What changes, as items of a change: their titles are these three. */
export const loaderItems = (now: LoaderSpec, to: LoaderSpec) =>
  (['game_version', 'loader', 'loader_version'] as const)
    .map((title) => ({ title, from: now[title], to: to[title] }))
    .filter(({ from, to: next }) => from !== next);
