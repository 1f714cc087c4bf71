import { isLoader } from '../../catalogue/tags/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { insertRecords } from './records.ts';
import { countsAsPlayed } from './rules.ts';
import type { Playtime } from './shape.ts';

/** What one client reported at once. */
export interface PlaytimeReport {
  at: Date;
  playtime: Playtime;
  /** An IPv4 address, or the /64 of an IPv6 one: only its country is kept. */
  network: string;
  /** ISO 3166 of where its network is; XX or left out if not known. */
  country?: string;
}

/**
 * Stores how long versions were played. Leaves out unknown versions and entries over 300 seconds; unknown loaders, game
 * versions and parents are not kept. Source: api-v2 §14.
 */
export async function addPlaytime(tx: Db, reports: readonly PlaytimeReport[]): Promise<void> {
  const played = reports.flatMap(({ at, country, playtime }) =>
    Object.entries(playtime)
      .filter(([, { seconds }]) => countsAsPlayed(seconds))
      .map(([version_id, entry]) => ({ ...entry, version_id, at, country })),
  );
  if (played.length === 0) return;
  const versions = await projectsOfVersions(
    tx,
    played.flatMap(({ version_id, parent }) => (parent ? [version_id, parent] : [version_id])),
  );
  const games = await knownGameVersions(
    tx,
    played.map(({ game_version }) => game_version),
  );
  await insertRecords(
    tx,
    played.flatMap(({ at, version_id, seconds, loader, game_version, parent, country }) => {
      const project_id = versions.get(version_id);
      if (!project_id) return [];
      return {
        ...{ kind: 'playtime', at, amount: seconds, project_id, version_id },
        loader: isLoader(loader) ? loader : '',
        game_version: games.has(game_version) ? game_version : '',
        dependent_id: (parent && versions.get(parent)) ?? '',
        ...(country && { country }),
      };
    }),
  );
}

async function projectsOfVersions(tx: Db, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx<Array<{ id: string; project_id: string }>>`
    select id, project_id from versions where id = any(${[...new Set(ids)]})`;
  return new Map(rows.map(({ id, project_id }) => [id, project_id]));
}

async function knownGameVersions(tx: Db, names: string[]): Promise<Set<string>> {
  const rows = await tx<Array<{ version: string }>>`
    select version from game_versions where version = any(${[...new Set(names)]})`;
  return new Set(rows.map(({ version }) => version));
}
