import type { Db } from '../../platform/postgres/sql.ts';
import { gameVersions } from '../tags/read.ts';
import { type AggregatedVersion, aggregateVersions } from './aggregate.ts';
import { listedStatuses } from './rules.ts';

/**
 * Recomputes the aggregates of a project from its listed and archived versions (loaders, game versions, types,
 * environments, sides) and `updated`: the date of the newest of them, else `published`. Call it in the transaction
 * that changed a version, with the project's row locked. Source: api-behaviours §5 (aggregates).
 */
export async function recomputeAggregates(tx: Db, project_id: string): Promise<void> {
  const versions = await tx<AggregatedVersion[]>`
    select loaders, mrpack_loaders, game_versions, environment, date_published from versions
    where project_id = ${project_id} and status = any(${listedStatuses as string[]})
    order by date_published, id`;
  const aggregate = aggregateVersions(versions);
  const columns = {
    ...aggregate,
    game_versions: sortGameVersions(aggregate.game_versions, await knownGames(tx)),
  };
  await tx`
    update projects set ${tx(columns)}, updated = coalesce(${versions.at(-1)?.date_published ?? null}, published)
    where id = ${project_id}`;
}

/** Names of the game versions, oldest first. */
const knownGames = async (db: Db): Promise<string[]> =>
  (await gameVersions(db)).map(({ version }) => version).reverse();

/** `names` without duplicates in the order of `known`; unknown ones come first. */
export function sortGameVersions(names: readonly string[], known: readonly string[]): string[] {
  const position = new Map(known.map((name, index) => [name, index]));
  return [...new Set(names)].sort((a, b) => (position.get(a) ?? -1) - (position.get(b) ?? -1));
}
