import { networkHasher } from '../files/network-hash.ts';
import type { Actor } from '../people/rules.ts';
import { projectRef } from '../projects/read.ts';
import type { Db } from '../sql.ts';
import { isLoader } from '../tags/rules.ts';
import { countsAsPlayed, monetisedViews, projectOfPage } from './rules.ts';
import type { Playtime } from './shape.ts';

/** One view of a page. */
interface View {
  /** Path of the page; its query is not kept. */
  path: string;
  /** The client's network, of which only a keyed hash is kept, for six hours. */
  network: string;
  actor: Actor | null;
  now: Date;
}

/**
 * Appends a view, tied to the project whose page it is. Views of one network and project earn money at most three times
 * within six hours. Source: api-v2 §14; api-behaviours §10.
 */
export async function recordView(tx: Db, { path, network, actor, now }: View): Promise<void> {
  const name = projectOfPage(path);
  const project = name ? await projectRef(tx, name) : null;
  const monetized = project !== null && (await earns(tx, project.id, network, now));
  const data = tx.json({ path: path.slice(0, 512), ...(project ? { monetized } : {}) });
  const row = {
    kind: 'view',
    at: now,
    project_id: project?.id ?? null,
    user_id: actor?.user_id ?? null,
    data,
  };
  await tx`insert into usage_records ${tx(row as never)}`;
}

/** Counts a view in the window of its network and project; whether it is one of those that earn money. */
async function earns(tx: Db, project_id: string, network: string, now: Date): Promise<boolean> {
  const address = (await networkHasher(tx, ' view'))(network);
  const counted = await tx`
    insert into download_windows as w (address, project_id, counted, until)
    values (${address}, ${project_id}, 1, ${now}::timestamptz + interval '6 hours')
    on conflict (address, project_id) do update
      set counted = case when w.until <= ${now} then 1 else w.counted + 1 end,
        until = case when w.until <= ${now} then excluded.until else w.until end
      where w.until <= ${now} or w.counted < ${monetisedViews}
    returning 1`;
  return counted.length > 0;
}

/**
 * Appends how long versions were played. Leaves out unknown versions and entries over 300 seconds; unknown loaders, game
 * versions and parents are not kept. Three queries for any number of entries. Source: api-v2 §14.
 */
export async function recordPlaytime(tx: Db, actor: Actor, playtime: Playtime, now: Date): Promise<void> {
  const played = Object.entries(playtime).filter(([, { seconds }]) => countsAsPlayed(seconds));
  if (played.length === 0) return;
  const versions = await projectsOfVersions(
    tx,
    played.flatMap(([id, { parent }]) => (parent ? [id, parent] : [id])),
  );
  const games = await knownGameVersions(
    tx,
    played.map(([, { game_version }]) => game_version),
  );
  const rows = played.flatMap(([version_id, { seconds, loader, game_version, parent }]) => {
    const project_id = versions.get(version_id);
    if (!project_id) return [];
    const data = tx.json({
      seconds,
      loader: isLoader(loader) ? loader : null,
      game_version: games.has(game_version) ? game_version : null,
      parent: parent && versions.has(parent) ? parent : null,
    });
    return [{ kind: 'playtime', at: now, project_id, version_id, user_id: actor.user_id, data }];
  });
  if (rows.length > 0) await tx`insert into usage_records ${tx(rows as never)}`;
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
