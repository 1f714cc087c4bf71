/** A build as the download rules see it; lists of builds are newest first. */
export interface Build {
  id: string;
  version_type: 'release' | 'beta' | 'alpha';
  game_versions: readonly string[];
  loaders: readonly string[];
}

/** A game version and a loader. */
export interface Pair {
  game: string;
  loader: string;
}
type Known = { [Part in keyof Pair]?: string | null | undefined };

/** The options, in display order: the newest game version first. */
export interface Offer<B extends Build = Build> {
  builds: readonly B[];
  games: readonly string[];
  loaders: readonly string[];
}

const fitting = <B extends Build>(builds: readonly B[], { game, loader }: Known): B[] =>
  builds.filter(
    ({ game_versions, loaders }) =>
      (game == null || game_versions.includes(game)) && (loader == null || loaders.includes(loader)),
  );

/**
 * The recommended builds for a pair, most stable first: the newest release, a newer beta, an alpha newer than both.
 * Empty without a build for the pair. Source: screens §A.4 (download modal).
 */
export function answerOf<B extends Build>(builds: readonly B[], pair: Pair): B[] {
  const answer: B[] = [];
  for (const build of fitting(builds, pair)) {
    if (answer.some(({ version_type }) => atLeast(version_type, build.version_type))) continue;
    answer.unshift(build);
  }
  return answer;
}

const steadiness = { alpha: 0, beta: 1, release: 2 } as const;
type Channel = Build['version_type'];

/** Whether a newer build is at least as stable as `next`, so that the older one is not recommended. */
const atLeast = (before: Channel, next: Channel): boolean => steadiness[before] >= steadiness[next];

/** The builds that are recommended for some pair: the client needs no others. */
export function answering<B extends Build>(builds: readonly B[]): B[] {
  const best = new Map<string, number>();
  return builds.filter(({ version_type, game_versions, loaders }) => {
    const here = steadiness[version_type];
    let requested = false;
    for (const game of game_versions) {
      for (const loader of loaders) {
        const pair = `${game} ${loader}`;
        if ((best.get(pair) ?? -1) >= here) continue;
        best.set(pair, here);
        requested = true;
      }
    }
    return requested;
  });
}

export type WhyNot = 'no_build' | 'not_together';

/** Why a game version or loader has no result: no build at all, or none with the other part. Null when it has one. */
export function whyNot(builds: readonly Build[], part: Known, chosen: Known): WhyNot | null {
  if (fitting(builds, part).length === 0) return 'no_build';
  return fitting(builds, { ...chosen, ...part }).length === 0 ? 'not_together' : null;
}

/** The game versions at the start of the list, newest first, that no build is for. */
export function newerWithoutBuild({ builds, games }: Offer): string[] {
  const first = games.findIndex((game) => fitting(builds, { game }).length > 0);
  return games.slice(0, Math.max(0, first));
}

/** The default build for `known`: the newest release, else the newest. */
const best = (builds: readonly Build[], known: Known): Build | undefined => {
  const found = fitting(builds, known);
  return found.find(({ version_type }) => version_type === 'release') ?? found[0];
};

/** Completes a known part to a pair; null without a build for it. */
export function completed({ builds, games, loaders }: Offer, known: Known): Pair | null {
  const build = best(builds, known);
  const game = known.game ?? games.find((name) => build?.game_versions.includes(name));
  const loader = known.loader ?? loaders.find((name) => build?.loaders.includes(name));
  return build && game != null && loader != null ? { game, loader } : null;
}

/**
 * What somebody narrowed a list to (`v` and `g` of searches and version lists), as far as it is offered: of several values the
 * first of the offer, of several queries the first that has one.
 */
export function narrowedTo(
  offer: Pick<Offer, 'games' | 'loaders'>,
  queries: readonly URLSearchParams[],
): Known {
  const first = (offered: readonly string[], name: 'v' | 'g') =>
    queries
      .map((query) => offered.find((one) => query.getAll(name).includes(one)))
      .find((one) => one !== undefined);
  const [game, loader] = [first(offer.games, 'v'), first(offer.loaders, 'g')];
  return { ...(game !== undefined && { game }), ...(loader !== undefined && { loader }) };
}

/**
 * The initial choice: the pair in the address, as far as it is offered, even without a build; then the previous choice;
 * then what the newest release supports. Null when nothing is offered.
 */
export function preselected(offer: Offer, requested: Known, remembered: Known): Pair | null {
  const offered = ({ game, loader }: Known): Known => ({
    game: game != null && offer.games.includes(game) ? game : null,
    loader: loader != null && offer.loaders.includes(loader) ? loader : null,
  });
  const [said, last] = [offered(requested), offered(remembered)];
  if (said.game != null && said.loader != null) return { game: said.game, loader: said.loader };
  const both = { game: said.game ?? last.game, loader: said.loader ?? last.loader };
  const ways = [both, { ...both, game: said.game }, { ...both, loader: said.loader }, said];
  for (const way of ways) {
    const pair = completed(offer, way);
    if (pair) return pair;
  }
  const rest = completed(offer, {});
  return rest && { game: said.game ?? rest.game, loader: said.loader ?? rest.loader };
}
