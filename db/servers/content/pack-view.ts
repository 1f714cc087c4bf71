import { Refused } from '../../errors.ts';
import type { Actor } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';
import type { MediaSettings } from '../../storage/url.ts';
import { refsByIds } from '../../versions/pages.ts';
import { visibleProject } from '../../versions/read.ts';
import { bestVersions } from '../../versions/resolve.ts';
import { type CatalogueVersion, versionsById } from './catalogue.ts';
import type { PackRecord } from './pack-record.ts';
import type { PackView } from './view.ts';

const anything = { game_versions: [], loaders: [] };
const newestOf = (db: Db, project_id: string) =>
  bestVersions(db, [project_id], 'modpack', { selected: anything, target: anything });

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
  record: PackRecord | null,
  actor: Actor | null,
): Promise<PackView | null> {
  const version = await installedPack(db, settings, record, actor);
  if (!version) return null;
  const newest = (await newestOf(db, version.project.id)).get(version.project.id);
  const other = newest === undefined || newest === version.version.id ? [] : [newest];
  const found = [...(await versionsById(db, settings, other, actor)).values()];
  const update = found.find(({ published }) => published > version.published)?.version ?? null;
  return { project: version.project, version: version.version, update, installed: record!.installed };
}

/**
 * The version that is asked for, or the newest one of a modpack. Refuses `not_found` for what the actor may not see,
 * `version_of_other_project`, and `nothing_compatible` for a project without versions.
 */
export async function newestPackVersion(
  db: Db,
  actor: Actor,
  { project_id, version_id }: { project_id: string; version_id?: string | undefined },
): Promise<string> {
  const id = await visibleProject(db, project_id, actor);
  const chosen = version_id ?? (await newestOf(db, id)).get(id);
  if (!chosen) throw new Refused('nothing_compatible');
  const [ref] = await refsByIds(db, [chosen], actor, { changelog: false });
  if (!ref) throw new Refused('not_found');
  if (ref.project_id !== id) throw new Refused('version_of_other_project');
  return ref.id;
}
