import type { Version } from '#db/catalogue/versions/shape.ts';
import { type KindId, kindOffers, loadersFor } from '#db/hosting/server-kinds/rules.ts';
import { typeOfVersion, whyNotLoaded } from '#db/hosting/servers/content/rules.ts';
import { whyNotOperate } from '#db/hosting/servers/rules.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { factsOf } from '../shared/state.ts';

/** Which servers a project can be put on, and what a new one for it would have to be. Pure. */

type Made = Pick<Version, 'loaders' | 'game_versions'>;
/** Why a project cannot be put on a server: it lacks something, or cannot be changed now. */
export type WhyNotFit =
  | { why: 'wrong_loader' | 'wrong_game_version' }
  | { why: 'state'; code: ReturnType<typeof whyNotOperate> & string };

const world = 'world'; // where data packs lie says nothing about what fits

/** Why no version of a project can be put on the server, or null. A modpack brings loader and game version along. */
export function whyNotFit(server: ServerView, versions: readonly Made[], isPack: boolean): WhyNotFit | null {
  const code = whyNotOperate(factsOf(server));
  if (code) return { why: 'state', code };
  if (isPack) return null;
  const target = { game_version: server.game_version, loader: server.loader, world };
  const whys = versions.map((version) => {
    const type = typeOfVersion(version.loaders, server.loader);
    return type ? whyNotLoaded(version, type, target) : 'wrong_loader';
  });
  if (whys.includes(null)) return null;
  return { why: whys.includes('wrong_game_version') ? 'wrong_game_version' : 'wrong_loader' };
}

/** Loader and game version of a new server that a project runs on, by its newest versions; null when none does. */
export function presetFor(
  kind: KindId,
  versions: readonly Made[],
): { game_version: string; loader: string } | null {
  for (const { loaders, game_versions } of versions)
    for (const game_version of kindOffers[kind].game_versions) {
      if (!game_versions.includes(game_version)) continue;
      const fits = loadersFor(kind, game_version).filter(
        (one) => typeOfVersion(loaders, one === 'vanilla' ? null : one) !== null,
      );
      // what loads only it comes before what loads other content too
      const [loader] = fits.sort((a, b) => Number(loaders.includes(b)) - Number(loaders.includes(a)));
      if (loader) return { game_version, loader };
    }
  return null;
}
