import { type DependencyRequest, resolveRequired } from '../../../catalogue/versions/resolve.ts';
import type { SkipReason } from '../../../catalogue/versions/resolve-rules.ts';
import { Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { MediaSettings } from '../../../platform/storage/url.ts';
import { type CatalogueVersion, type ProjectRef, projectRefs, versionsById } from './catalogue.ts';
import { conflictsOf } from './conflicts.ts';
import { whyNothingFits } from './fits.ts';
import type { Installed, InstalledFile } from './installed.ts';
import {
  type ContentTarget,
  contentFolder,
  type PlanProblem,
  pathAs,
  typeOfVersion,
  whyNotInstall,
} from './rules.ts';
import type { ContentPlan } from './view.ts';

/** What a plan is made with. */
export interface Planning {
  settings: MediaSettings;
  actor: Actor | null;
  target: ContentTarget;
  installed: Installed;
}

/** A version that is asked for; `replaces` is the file of its project that is there. */
export interface PlannedVersion {
  version: CatalogueVersion;
  replaces: InstalledFile | null;
}

type Added = ContentPlan['add'][number];
type Skipped = ContentPlan['skipped'][number];

/** Most entries of each list of a plan. */
const max_planned = 2_000;

/**
 * The plan of installing versions with what they need: dependencies of all of them are chosen in one walk, so the number of
 * statements does not depend on how many there are. `skipped` are those that were left out before. What an author calls incompatible
 * with something that is there, or that is added too, is left out with its dependencies. Refuses `content_path_taken`.
 */
export async function planOf(
  db: Db,
  planning: Planning,
  wanted: readonly PlannedVersion[],
  skipped: Skipped[],
): Promise<ContentPlan> {
  const roots = await withoutConflicts(db, planning, {
    asked: fitting(wanted, planning.target, skipped),
    skipped,
  });
  const needed = await neededBy(db, planning, { roots, skipped });
  const add = [...roots, ...needed].map((one) => added(one, planning.target));
  assertFree(add, planning.installed.files);
  await explain(db, skipped, planning.target);
  return {
    add: add.slice(0, max_planned),
    skipped: skipped.slice(0, max_planned),
    bytes: add.reduce((sum, { bytes }) => sum + bytes, 0),
    revision: planning.installed.revision,
  };
}

/** An entry of what a plan leaves out. */
export const leftOut = (
  problem: PlanProblem,
  project: ProjectRef | null,
  needed_by: string | null = null,
): Skipped => ({ project, problem, needed_by, fits: null });

/** Those that the server loads, once for each project. */
function fitting(
  wanted: readonly PlannedVersion[],
  target: ContentTarget,
  skipped: Skipped[],
): PlannedVersion[] {
  const seen = new Set<string>();
  return wanted.filter(({ version }) => {
    if (seen.has(version.project.id)) return false;
    seen.add(version.project.id);
    const problem = whyNotInstall(version, target);
    if (problem) skipped.push(leftOut(problem, version.project));
    return problem === null;
  });
}

/** Those of `asked` that go together with each other, with `beside` and with what stays on the server. */
async function withoutConflicts<T extends PlannedVersion & { needed_by?: string }>(
  db: Db,
  { installed }: Planning,
  {
    asked,
    beside = [],
    skipped,
  }: { asked: readonly T[]; beside?: readonly PlannedVersion[]; skipped: Skipped[] },
): Promise<T[]> {
  const going = new Set([...asked, ...beside].map(({ version }) => version.project.id));
  const staying = installed.files.flatMap(({ known }) =>
    known && !going.has(known.project.id) ? known : [],
  );
  const present = [...staying, ...beside.map(({ version }) => version)];
  const conflicts = await conflictsOf(
    db,
    asked.map(({ version }) => version),
    present,
  );
  return asked.filter(({ version, needed_by }) => {
    const other = conflicts.get(version.version.id);
    if (other !== undefined) skipped.push(leftOut('conflict', version.project, needed_by ?? other));
    return other === undefined;
  });
}

type Needed = PlannedVersion & { needed_by: string };

/** Why a dependency is not met, in the words of a plan; other reasons mean that it is. */
const unmet: Partial<Record<SkipReason, PlanProblem>> = {
  no_compatible_version: 'wrong_game_version',
  missing_version: 'missing',
  conflicting_dependency: 'conflict',
};

/** What the versions need and the server has not got, or has switched off, or in a version that does not fit. */
async function neededBy(
  db: Db,
  planning: Planning,
  { roots, skipped }: { roots: readonly PlannedVersion[]; skipped: Skipped[] },
): Promise<Needed[]> {
  const { settings, actor, target, installed } = planning;
  const resolved = await resolveRequired(
    db,
    roots.map(({ version: { project, version } }) => ({ project_id: project.id, version_id: version.id })),
    dependencyRequest(planning),
    actor,
  );
  const ids = resolved.dependencies.map(({ version_id }) => version_id);
  const versions = await versionsById(db, settings, ids, actor);
  const planned = [...roots.map(({ version }) => version), ...versions.values()];
  const titles = new Map(planned.map(({ version, project }) => [version.id, project.title]));
  const here = new Map(installed.files.map((file) => [file.known?.project.id, file]));
  const asked = resolved.dependencies.flatMap(({ version_id, dependent_on_version_id }): Needed[] => {
    const version = versions.get(version_id);
    const needed_by = titles.get(dependent_on_version_id!) ?? '';
    const problem = version ? whyNotInstall(version, target) : 'missing';
    if (problem) skipped.push(leftOut(problem, version?.project ?? null, needed_by));
    return problem ? [] : [{ version: version!, replaces: here.get(version!.project.id) ?? null, needed_by }];
  });
  const lacking = resolved.skipped.filter(({ reason }) => unmet[reason]);
  const named = lacking.flatMap(({ project_id }) => project_id ?? []);
  const projects = await projectRefs(db, settings, named, actor);
  for (const { project_id, dependent_on_version_id, reason } of lacking) {
    const project = projects.get(project_id ?? '') ?? null;
    const problem = project ? unmet[reason]! : 'missing';
    skipped.push(leftOut(problem, project, titles.get(dependent_on_version_id!) ?? ''));
  }
  return await withoutConflicts(db, planning, { asked, beside: roots, skipped });
}

/** What is there already satisfies a dependency when the server loads it. */
function dependencyRequest({ target, installed }: Planning): DependencyRequest {
  const loaded = installed.files.filter(({ enabled, problem }) => enabled && problem === null);
  const wanted = { game_versions: [target.game_version], loaders: [target.loader ?? 'datapack'] };
  return {
    ...{ selected: wanted, target: wanted },
    existing_project_ids: loaded.flatMap(({ known }) => known?.project.id ?? []),
  };
}

function added(one: PlannedVersion & { needed_by?: string }, target: ContentTarget): Added {
  const { version, replaces, needed_by = null } = one;
  return {
    ...{ project: version.project, version: version.version, bytes: version.file!.bytes, needed_by },
    path: pathOf(version, target, needed_by !== null || (replaces?.enabled ?? true)),
    replaces: replaces?.path ?? null,
    from: replaces?.known?.version ?? null,
  };
}

/** Where the file of a version that fits belongs. One that replaces a file that is switched off is switched off too. */
export function pathOf(
  { loaders, file }: CatalogueVersion,
  { loader, world }: ContentTarget,
  enabled: boolean,
): string {
  const type = typeOfVersion(loaders, loader)!;
  return pathAs(`${contentFolder(type, world)}/${file!.filename}`, enabled);
}

/** Refuses `content_path_taken` when a file would overwrite one that it does not replace. */
export function assertFree(
  add: ReadonlyArray<{ path: string; replaces: string | null }>,
  files: readonly InstalledFile[],
): void {
  const replaced = new Set(add.map(({ replaces }) => replaces));
  const taken = new Set(files.map(({ path }) => path).filter((path) => !replaced.has(path)));
  for (const { path } of add) {
    if (taken.has(path)) throw new Refused('content_path_taken', { path });
    taken.add(path);
  }
}

/** Says what would fit, and of projects without any version that fits, why not. */
async function explain(db: Db, skipped: Skipped[], target: ContentTarget): Promise<void> {
  const asked = skipped.filter(
    ({ problem }) => problem === 'wrong_loader' || problem === 'wrong_game_version',
  );
  const ids = asked.flatMap(({ project }) => project?.id ?? []);
  const reasons = await whyNothingFits(db, ids, target);
  for (const one of asked) {
    const reason = reasons.get(one.project?.id ?? '');
    if (reason) one.fits = reason.fits;
    if (reason && one.problem === 'wrong_game_version') one.problem = reason.problem;
  }
}
