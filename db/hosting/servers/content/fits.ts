import { listedStatuses } from '../../../catalogue/versions/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import {
  type ContentTarget,
  contentTypesOf,
  isForServers,
  loadersOf,
  newestFirst,
  type PlanProblem,
} from './rules.ts';

/** What a server could be for a project to work on it, and why it does not now. */
interface Fits {
  loaders: string[];
  game_versions: string[];
}

/** Most names of either kind. */
const max_names = 50;

/**
 * Why no version of these projects can be installed on a server, with what would fit: loaders whose versions are for its game
 * version, and game versions whose versions are for its loader. By project; one statement.
 */
export async function whyNothingFits(
  db: Db,
  project_ids: readonly string[],
  target: ContentTarget,
): Promise<Map<string, { problem: PlanProblem; fits: Fits }>> {
  if (project_ids.length === 0) return new Map();
  const loaded = contentTypesOf(target.loader).flatMap((type) => loadersOf(type, target.loader));
  const rows = await db<Array<{ project_id: string; all: string[]; here: string[]; games: string[] }>>`
    select v.project_id, array_agg(distinct l.loader) as all,
      coalesce(array_agg(distinct l.loader) filter (where ${target.game_version} = any(v.game_versions)), '{}') as here,
      coalesce(array_agg(distinct g.game) filter (where v.loaders && ${loaded}::text[]), '{}') as games
    from versions v cross join lateral unnest(v.loaders) as l (loader)
      cross join lateral unnest(v.game_versions) as g (game)
    where v.project_id = any(${[...new Set(project_ids)]}::text[]) and v.status = any(${listedStatuses as string[]})
    group by v.project_id`;
  const found = new Map(rows.map((row) => [row.project_id, row]));
  return new Map(
    project_ids.map((id) => {
      const { all = [], here = [], games = [] } = found.get(id) ?? {};
      const onServers = (names: string[]) => names.filter(isForServers).slice(0, max_names);
      const nowhere = all.length === 0 ? 'missing' : 'not_supported';
      const problem =
        onServers(all).length === 0 ? nowhere : games.length > 0 ? 'wrong_game_version' : 'wrong_loader';
      // a version for its loader and game version that is left out is one for players
      const isHere = here.some((loader) => loaded.includes(loader));
      return [
        id,
        {
          problem: problem === 'wrong_game_version' && isHere ? 'client_only' : problem,
          fits: {
            loaders: onServers(here.length > 0 ? here : all),
            game_versions: newestFirst(games).slice(0, max_names),
          },
        },
      ];
    }),
  );
}
