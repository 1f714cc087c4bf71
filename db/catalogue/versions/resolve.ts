import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { visibleProjects } from '../projects/read.ts';
import type { Status } from '../projects/rules.ts';
import { refsByIds } from './pages.ts';
import { visibleProject } from './read.ts';
import {
  acceptableLoaders,
  type ContentType,
  resolveLimits,
  type SkipReason,
  whyNotAdd,
} from './resolve-rules.ts';
import { listedStatuses } from './rules.ts';

interface Preferences {
  game_versions: readonly string[];
  loaders: readonly string[];
}

export interface ResolveRequest {
  /** Id or slug. */
  project_id: string;
  version_id?: string | null | undefined;
  content_type: ContentType;
  /** Preferred among compatible versions, and required where `target` names nothing. */
  selected: Preferences;
  target: Preferences;
  existing_project_ids: readonly string[];
}

/** What the dependencies of versions are chosen for. */
export type DependencyRequest = Pick<ResolveRequest, 'selected' | 'target' | 'existing_project_ids'>;

interface Planned {
  project_id: string;
  version_id: string;
  dependent_on_version_id: string | null;
}
interface Skipped {
  project_id: string | null;
  version_id: string | null;
  dependent_on_version_id: string | null;
  reason: SkipReason;
}
export interface Plan {
  primary: Planned;
  dependencies: Planned[];
  skipped: Skipped[];
}

/** The project that Quilt replaces by its own. */
const fabricApi = { id: 'P7dR8mSH', slug: 'fabric-api' };

/**
 * The versions to install for a project: its own and, level by level, those of required dependencies. A dependency on a
 * version takes that one, one on a project its best version for the target. Each level takes three statements; cycles
 * end because a project is in the plan once. Deeper and longer plans than `resolveLimits` are cut off. Refuses
 * `not_found` (project or version), `version_of_other_project`, `nothing_compatible`. Source: api-v3 §3.10.
 */
export async function resolveContent(db: Db, request: ResolveRequest, actor: Actor | null): Promise<Plan> {
  const project_id = await visibleProject(db, request.project_id, actor);
  const version_id = request.version_id
    ? await ownVersion(db, request.version_id, project_id, actor)
    : (await bestVersions(db, [project_id], request.content_type, request)).get(project_id);
  if (!version_id) throw new Refused('nothing_compatible');

  const primary: Planned = { project_id, version_id, dependent_on_version_id: null };
  return { primary, ...(await resolveRequired(db, [primary], request, actor)) };
}

/**
 * What versions need, level by level as in `resolveContent`, for many of them at once: a project is in the plan once, whoever
 * needs it.
 */
export async function resolveRequired(
  db: Db,
  roots: ReadonlyArray<Pick<Planned, 'project_id' | 'version_id'>>,
  request: DependencyRequest,
  actor: Actor | null,
): Promise<Omit<Plan, 'primary'>> {
  const chosen = new Map(roots.map(({ project_id, version_id }) => [project_id, version_id]));
  const plan: Omit<Plan, 'primary'> = { dependencies: [], skipped: [] };
  const existing = new Set(request.existing_project_ids);
  const replaced = await replacedByQuilt(db, request);
  const most = roots.length + resolveLimits.versions - 1;
  let level: readonly Pick<Planned, 'version_id'>[] = roots;
  for (let depth = 0; depth < resolveLimits.depth && level.length > 0; depth++) {
    const progress = { request, actor, chosen, existing, replaced, most };
    const { added, skipped } = await nextLevel(db, level, progress);
    plan.dependencies.push(...added);
    plan.skipped.push(...skipped);
    level = added;
  }
  return plan;
}

async function ownVersion(db: Db, id: string, project_id: string, actor: Actor | null): Promise<string> {
  const [ref] = await refsByIds(db, [id], actor, { changelog: false });
  if (!ref) throw new Refused('not_found');
  if (ref.project_id !== project_id) throw new Refused('version_of_other_project');
  return ref.id;
}

async function replacedByQuilt(db: Db, { target }: DependencyRequest): Promise<ReadonlySet<string>> {
  if (!target.loaders.includes('quilt')) return new Set();
  const { id, slug } = fabricApi;
  const rows = await db<Array<{ id: string }>>`select id from projects where id = ${id} or slug = ${slug}`;
  return new Set(rows.map((row) => row.id));
}

interface Progress {
  request: DependencyRequest;
  actor: Actor | null;
  /** Version by project, of everything planned; grows. */
  chosen: Map<string, string>;
  existing: ReadonlySet<string>;
  replaced: ReadonlySet<string>;
  /** Versions of a full plan. */
  most: number;
}

/** The required dependencies of one level, in the order in which its versions state them. */
async function nextLevel(db: Db, level: readonly Pick<Planned, 'version_id'>[], progress: Progress) {
  const { request, actor, chosen, most } = progress;
  const needs = await requiredBy(db, level);
  const pinned = await projectsOfVisible(db, needs, actor);
  const added: Array<Planned & { place: number }> = [];
  const skipped: Array<Skipped & { place: number }> = [];
  const waiting: typeof needs = [];

  const skip = (need: Need, reason: SkipReason, project_id = need.project_id) =>
    skipped.push({ ...outOf(need), project_id, reason });
  const add = (need: Need, project_id: string, version_id: string) => {
    if (chosen.size > most) return;
    chosen.set(project_id, version_id);
    added.push({ ...outOf(need), project_id, version_id });
  };
  const whyNot = (project_id: string, version_id: string | null) =>
    whyNotAdd({ project_id, pinned: version_id }, { ...progress, chosen: chosen.get(project_id) });

  for (const need of needs) {
    if (need.version_id === null) waiting.push(need);
    else {
      const project_id = pinned.get(need.version_id) ?? need.project_id;
      const why = project_id === null ? null : whyNot(project_id, need.version_id);
      if (why) skip(need, why, project_id);
      else if (!pinned.has(need.version_id) || project_id === null) skip(need, 'missing_version');
      else add(need, project_id, need.version_id);
    }
  }
  // pins go first: a dependency on any version of the same project is satisfied by them
  const open = waiting.filter(({ project_id }) => project_id !== null && whyNot(project_id, null) === null);
  const projects = await visibleOf(db, [...new Set(open.map(({ project_id }) => project_id!))], actor);
  const best = await bestVersions(db, projects, 'dependency', request);
  for (const need of waiting) {
    const project_id = need.project_id!;
    const version_id = best.get(project_id);
    const why = whyNot(project_id, null) ?? (version_id ? null : 'no_compatible_version');
    if (why) skip(need, why);
    else add(need, project_id, version_id!);
  }
  const inOrder = <T extends { place: number }>(list: T[]) =>
    list.sort((a, b) => a.place - b.place).map(({ place: _, ...rest }) => rest);
  return { added: inOrder(added), skipped: inOrder(skipped) };
}

interface Need {
  /** Position in the level. */
  place: number;
  project_id: string | null;
  version_id: string | null;
  dependent_on_version_id: string;
}
const outOf = ({ place, version_id, dependent_on_version_id }: Need) => ({
  place,
  version_id,
  dependent_on_version_id,
});

async function requiredBy(db: Db, level: readonly Pick<Planned, 'version_id'>[]): Promise<Need[]> {
  const ids = level.map(({ version_id }) => version_id);
  const rows = await db<Array<Omit<Need, 'place'>>>`
    select d.project_id, d.dependency_version_id as version_id, d.version_id as dependent_on_version_id
    from dependencies d
    where d.version_id = any(${ids}::text[]) and d.dependency_type = 'required'
      and (d.project_id is not null or d.dependency_version_id is not null)
    order by array_position(${ids}::text[], d.version_id), d.id
    limit ${4 * resolveLimits.versions + level.length}`;
  return rows.map((row, place) => ({ ...row, place }));
}

/** Projects of the pinned versions that the actor may see, by version. */
async function projectsOfVisible(
  db: Db,
  needs: readonly Need[],
  actor: Actor | null,
): Promise<Map<string, string>> {
  const ids = [...new Set(needs.flatMap(({ version_id }) => version_id ?? []))];
  const refs = await refsByIds(db, ids, actor, { changelog: false });
  return new Map(refs.map(({ id, project_id }) => [id, project_id]));
}

async function visibleOf(db: Db, ids: readonly string[], actor: Actor | null): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db<Array<{ id: string; status: Status }>>`
    select id, status from projects where id = any(${[...ids]}::text[])`;
  return (await visibleProjects(db, rows, actor)).map(({ id }) => id);
}

/** The best listed version of each project for the target: as selected, by loader, then the newest. */
export async function bestVersions(
  db: Db,
  project_ids: readonly string[],
  type: ContentType | 'dependency',
  { selected, target }: Pick<ResolveRequest, 'selected' | 'target'>,
): Promise<Map<string, string>> {
  if (project_ids.length === 0) return new Map();
  const games = target.game_versions.length > 0 ? target.game_versions : selected.game_versions;
  const wanted = target.loaders.length > 0 ? target.loaders : selected.loaders;
  const ranked = acceptableLoaders(type, wanted);
  const rows = await db<Array<{ id: string; project_id: string }>>`
    select distinct on (v.project_id) v.id, v.project_id from versions v
    where v.project_id = any(${[...project_ids]}::text[]) and v.status = any(${listedStatuses as string[]})
      ${games.length > 0 ? db`and v.game_versions && ${[...games]}::text[]` : db``}
      ${ranked ? db`and v.loaders && ${ranked.flat()}::text[]` : db``}
      ${
        type === 'modpack' && wanted.length > 0
          ? db`and (v.mrpack_loaders = '{}' or v.mrpack_loaders && ${[...wanted]}::text[])`
          : db``
      }
    order by v.project_id,
      (${selected.game_versions.length === 0} or v.game_versions && ${[...selected.game_versions]}::text[])
        and (${selected.loaders.length === 0} or (v.loaders || v.mrpack_loaders) && ${[...selected.loaders]}::text[]) desc,
      ${(ranked ?? []).reduce((order, names, rank) => db`${order} when v.loaders && ${[...names]}::text[] then ${rank}::int`, db`case when false then 0`)} else 99 end,
      v.date_published desc, v.id desc`;
  return new Map(rows.map(({ id, project_id }) => [project_id, id]));
}
