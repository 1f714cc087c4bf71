import { isName, named, visibleProjects } from '../../../catalogue/projects/read.ts';
import type { Status } from '../../../catalogue/projects/rules.ts';
import { bestVersions } from '../../../catalogue/versions/resolve.ts';
import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type CatalogueVersion, projectRefs, versionsById } from './catalogue.ts';
import { whyNothingFits } from './fits.ts';
import { type InstalledFile, updatesOf } from './installed.ts';
import { leftOut, type PlannedVersion, type Planning, planOf } from './plan.ts';
import { contentTypesOf } from './rules.ts';
import type { ContentPlan } from './view.ts';

/** A project by ID or slug, in this version or in the one that fits best. */
interface AskedItem {
  project_id: string;
  version_id?: string | undefined;
}

/**
 * What installing these projects would do, dependencies included; nothing is changed. Projects that are there in the same version
 * are left out. Refuses `not_found`, `version_of_other_project` and `content_path_taken`.
 */
export async function planInstall(
  db: Db,
  planning: Planning,
  items: readonly AskedItem[],
): Promise<ContentPlan> {
  const { settings, actor, installed, target } = planning;
  const projects = await projectsNamed(db, planning, items);
  const ids = items.map(
    ({ project_id }) => projects.get(project_id) ?? projects.get(project_id.toLowerCase())!,
  );
  const open = ids.filter((_, at) => !items[at]!.version_id);
  const best = await bestOf(db, planning, open);
  const chosen = ids.map((id, at) => items[at]!.version_id ?? best.get(id));
  const versions = await versionsById(
    db,
    settings,
    chosen.flatMap((id) => id ?? []),
    actor,
  );
  const here = new Map(installed.files.map((file) => [file.known?.project.id, file]));
  const skipped: ContentPlan['skipped'] = [];
  const nothing: string[] = [];
  const wanted = ids.flatMap((id, at): PlannedVersion[] => {
    const version_id = chosen[at];
    if (version_id === undefined) {
      nothing.push(id);
      return [];
    }
    const version = versions.get(version_id);
    if (!version) throw new Refused('not_found');
    if (version.project.id !== id) throw new Refused('version_of_other_project');
    const replaces = here.get(id) ?? null;
    if (!isThere(replaces, version)) return [{ version, replaces }];
    skipped.push(leftOut('already_installed', version.project));
    return [];
  });
  const refs = await projectRefs(db, settings, nothing, actor);
  const reasons = await whyNothingFits(db, nothing, target);
  for (const id of nothing) {
    const { problem, fits } = reasons.get(id)!;
    skipped.push({ ...leftOut(problem, refs.get(id) ?? null), fits });
  }
  return await planOf(db, planning, wanted, skipped);
}

const isThere = (file: InstalledFile | null, { version, file: own }: CatalogueVersion): boolean =>
  !!file?.enabled && (file.known?.version.id === version.id || file.sha512 === own?.sha512);

/** The IDs of the projects by the names they are asked for with. Refuses `not_found`. */
async function projectsNamed(
  db: Db,
  { actor }: Planning,
  items: readonly AskedItem[],
): Promise<Map<string, string>> {
  const names = [...new Set(items.map(({ project_id }) => project_id))];
  if (!names.every(isName)) throw new Refused('not_found');
  const rows = await db<Array<{ id: string; slug: string; status: Status }>>`
    select p.id, p.slug, p.status from projects p where ${named(db, names)}`;
  const visible = await visibleProjects(db, rows, actor);
  const byName = new Map(visible.flatMap(({ id, slug }) => [[slug, id] as const, [id, id] as const]));
  if (names.some((name) => !byName.has(name) && !byName.has(name.toLowerCase())))
    throw new Refused('not_found');
  return byName;
}

/** The version of each project that fits best, as mods or plugins before data packs. At most two statements. */
async function bestOf(db: Db, { target }: Planning, ids: readonly string[]): Promise<Map<string, string>> {
  const wanted = {
    game_versions: [target.game_version],
    loaders: target.loader === null ? [] : [target.loader],
  };
  const preferences = { selected: wanted, target: wanted };
  const found = new Map<string, string>();
  for (const type of contentTypesOf(target.loader)) {
    const open = ids.filter((id) => !found.has(id));
    for (const [id, version] of await bestVersions(db, open, type, preferences)) found.set(id, version);
  }
  return found;
}

/**
 * What updating these files, all when `paths` is null, to the newest versions that fit would do. Files without an update are left
 * out. Refuses `file_not_found` and `content_path_taken`.
 */
export async function planUpdates(
  db: Db,
  planning: Planning,
  paths: readonly string[] | null,
): Promise<ContentPlan> {
  const { settings, actor, installed, target } = planning;
  const files = paths === null ? installed.files : filesAt(installed.files, paths);
  const updates = await updatesOf(db, files, target);
  const versions = await versionsById(
    db,
    settings,
    [...updates.values()].map(({ id }) => id),
    actor,
  );
  const wanted = [...updates].flatMap(([replaces, { id }]): PlannedVersion[] => {
    const version = versions.get(id);
    return version ? [{ version, replaces }] : [];
  });
  const same = paths === null ? [] : files.filter((file) => file.known && !updates.has(file));
  const skipped = same.map(({ known }) => leftOut('already_installed', known!.project));
  return await planOf(db, planning, wanted, skipped);
}

/** The files at these paths. Refuses `file_not_found`. */
export function filesAt(files: readonly InstalledFile[], paths: readonly string[]): InstalledFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...new Set(paths)].map((path) => {
    const file = byPath.get(path);
    if (!file) throw new Refused('file_not_found', { path });
    return file;
  });
}
