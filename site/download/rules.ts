/** What choosing a download looks at; lists of builds are newest first. */
export interface Build {
  id: string;
  version_type: 'release' | 'beta' | 'alpha';
  game_versions: readonly string[];
  loaders: readonly string[];
}

/** What a person runs: a game version and a loader. */
export interface Pair {
  game: string;
  loader: string;
}
type Known = { [Part in keyof Pair]?: string | null | undefined };

/** What there is to choose from, in the order it is shown: the newest game version first. */
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
 * What to download for a pair, steadiest first: the newest release, a beta newer than it, an alpha newer than both.
 * Empty when nothing was built for the pair. Source: screens §A.4 (download modal).
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

/** Whether what was met before is as steady as `next`, so that nobody wants the older one. */
const atLeast = (before: Channel, next: Channel): boolean => steadiness[before] >= steadiness[next];

/** The builds that are an answer for some pair: the others need not be told to whoever chooses. */
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

/** Why a game version or a loader gives nothing: never built for, or not with the other one chosen. Null when it does. */
export function whyNot(builds: readonly Build[], part: Known, chosen: Known): WhyNot | null {
  if (fitting(builds, part).length === 0) return 'no_build';
  return fitting(builds, { ...chosen, ...part }).length === 0 ? 'not_together' : null;
}

/** The build for `known` that people want unasked: the newest release, else the newest. */
const best = (builds: readonly Build[], known: Known): Build | undefined => {
  const found = fitting(builds, known);
  return found.find(({ version_type }) => version_type === 'release') ?? found[0];
};

/** What goes with the known part of a pair; null when nothing was built for it. */
export function completed({ builds, games, loaders }: Offer, known: Known): Pair | null {
  const build = best(builds, known);
  const game = known.game ?? games.find((name) => build?.game_versions.includes(name));
  const loader = known.loader ?? loaders.find((name) => build?.loaders.includes(name));
  return build && game != null && loader != null ? { game, loader } : null;
}

/**
 * The pair chosen at first: what the address asks for, as far as it is offered at all, even if nothing was built for it;
 * then what the person chose last time; then what the newest release is for. Null when nothing is offered.
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
