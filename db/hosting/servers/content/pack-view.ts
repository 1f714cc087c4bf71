import { refsByIds } from '../../../catalogue/versions/pages.ts';
import { visibleProject } from '../../../catalogue/versions/read.ts';
import { bestVersions } from '../../../catalogue/versions/resolve.ts';
import { listedStatuses } from '../../../catalogue/versions/rules.ts';
import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { MediaSettings } from '../../../platform/storage/url.ts';
import { isKind, kindOffers } from '../../server-kinds/rules.ts';
import { type CatalogueVersion, versionsById } from './catalogue.ts';
import { isOlderGame } from './loader-rules.ts';
import type { PackRecord } from './pack-record.ts';
import type { PackView } from './view.ts';

/** A server that a modpack is chosen for. */
export interface PackServer {
  /** What runs it (`db/hosting/server-kinds`): it bounds the game versions and loaders that the server can become. */
  kind: string;
  loader: string | null;
  game_version: string;
}

/** The version of the modpack of a server, as far as the actor may see it; null without one. */
export async function installedPack(
  db: Db,
  settings: MediaSettings,
  record: PackRecord | null,
  actor: Actor | null,
): Promise<CatalogueVersion | null> {
  if (!record) return null;
  return (await versionsById(db, settings, [record.version_id], actor)).get(record.version_id) ?? null;
}

/** The modpack of a server for its panel: null without one, and when the actor may not see it any more. */
export async function packViewOf(
  db: Db,
  settings: MediaSettings,
  { record, server }: { record: PackRecord | null; server: PackServer },
  actor: Actor | null,
): Promise<PackView | null> {
  const version = await installedPack(db, settings, record, actor);
  if (!version) return null;
  const newer = await newerPack(db, version, server);
  const found = await versionsById(db, settings, newer === null ? [] : [newer], actor);
  const update = [...found.values()][0]?.version ?? null;
  return { project: version.project, version: version.version, update, installed: record!.installed };
}

/** Most newer versions that are looked at. */
const max_newer = 50;

/**
 * The newest version of a modpack that came after this one, for the loader that the server has and its game version, else for a
 * newer one that servers of its kind run. What is for another loader, or an older game, is no update: it is there to be chosen.
 */
async function newerPack(
  db: Db,
  { project, published }: CatalogueVersion,
  { kind, loader, game_version }: PackServer,
): Promise<string | null> {
  if (!isKind(kind)) return null;
  const offer = kindOffers[kind];
  const loaders = loader === null ? Object.keys(offer.loaders) : [loader];
  const rows = await db<Array<{ id: string; game_versions: string[] }>>`
    select id, game_versions from versions
    where project_id = ${project.id} and status = any(${listedStatuses as string[]}) and date_published > ${published}
      and (mrpack_loaders = '{}' or mrpack_loaders && ${loaders}) and game_versions && ${[...offer.game_versions]}
    order by ${game_version} = any(game_versions) desc, date_published desc, id desc limit ${max_newer}`;
  const fits = (game: string) => offer.game_versions.includes(game) && !isOlderGame(game_version, game);
  return rows.find(({ game_versions }) => game_versions.some(fits))?.id ?? null;
}

/**
 * The version of a modpack that is asked for, or the newest one for the loader of the server, else the newest one that servers of
 * its kind can become; when none is, the newest of all, whose plan says why. Refuses `not_found` for what the actor may not see,
 * `version_of_other_project`, and `nothing_compatible` for a project without versions.
 */
export async function packVersionFor(
  db: Db,
  actor: Actor,
  { project_id, version_id }: { project_id: string; version_id?: string | undefined },
  server: Pick<PackServer, 'kind' | 'loader'>,
): Promise<string> {
  const id = await visibleProject(db, project_id, actor);
  const chosen = version_id ?? (await newestOf(db, id, server));
  if (!chosen) throw new Refused('nothing_compatible');
  const [ref] = await refsByIds(db, [chosen], actor, { changelog: false });
  if (!ref) throw new Refused('not_found');
  if (ref.project_id !== id) throw new Refused('version_of_other_project');
  return ref.id;
}

async function newestOf(
  db: Db,
  project_id: string,
  { kind, loader }: Pick<PackServer, 'kind' | 'loader'>,
): Promise<string | undefined> {
  const anything = { game_versions: [], loaders: [] };
  const { game_versions, loaders } = isKind(kind) ? kindOffers[kind] : { ...anything, loaders: {} };
  const own = loader === null ? [] : [{ game_versions, loaders: [loader] }];
  for (const target of [...own, { game_versions, loaders: Object.keys(loaders) }, anything]) {
    const found = await bestVersions(db, [project_id], 'modpack', { selected: anything, target });
    if (found.size > 0) return found.get(project_id);
  }
  return undefined;
}
