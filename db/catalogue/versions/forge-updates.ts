import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { visibleProject } from './read.ts';
import { listedStatuses } from './rules.ts';

/** Loaders whose versions an update check looks at, by the value of its `neoforge`. Source: api-v2 §13. */
export const checkedLoaders = {
  none: ['forge'],
  include: ['forge', 'neoforge'],
  only: ['neoforge'],
} as const;

/**
 * Version numbers by `{game version}-latest` (the newest) and `{game version}-recommended` (the newest release). Refuses
 * `not_found` for projects that the actor may not see. Source: api-v2 §13.
 */
export async function updatePromos(
  db: Db,
  idOrSlug: string,
  loaders: readonly string[],
  actor: Actor | null,
): Promise<Record<string, string>> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  const rows = await db<Array<{ game: string; latest: string; recommended: string | null }>>`
    select game, (array_agg(version_number order by date_published desc, id desc))[1] as latest,
      (array_agg(version_number order by date_published desc, id desc) filter (where version_type = 'release'))[1]
        as recommended
    from versions cross join lateral unnest(game_versions) as game
    where project_id = ${project_id} and status = any(${listedStatuses as string[]})
      and loaders && ${[...loaders]}::text[]
    group by game order by max(date_published) desc, game`;
  return Object.fromEntries(
    rows.flatMap(({ game, latest, recommended }) => [
      [`${game}-latest`, latest],
      ...(recommended === null ? [] : [[`${game}-recommended`, recommended]]),
    ]),
  );
}
