import { Refused } from '../../platform/errors.ts';
import { isKept } from '../../platform/names/kept.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { accessToMany } from '../teams/access.ts';
import { anonymous } from '../teams/rules.ts';
import { type ProjectRow, projectOf, selectRows } from './row.ts';
import { type Status, slugPattern, whyNotSeeProject } from './rules.ts';
import type { Project } from './shape.ts';

/** Valid ids and slugs; anything else is not found (and NUL must not reach Postgres). */
export const isName = (text: string): boolean => text.length <= 100 && slugPattern.test(text);

/**
 * Matches by id (case-sensitive) or slug (case-insensitive), both in one query. One name is compared by `=`: Postgres
 * caches that plan, but plans `any` each time, which takes longer than the query. Source: api-v2 §1.2.
 */
export function named(db: Db, names: readonly string[]) {
  const slugs = names.map((name) => name.toLowerCase());
  return names.length === 1
    ? db`(p.id = ${names[0]!} or p.slug = ${slugs[0]!})`
    : db`(p.id = any(${names as string[]}) or p.slug = any(${slugs}))`;
}

/** The rows that the actor may see; loads access only to hidden projects. */
export async function visibleProjects<R extends { id: string; status: Status }>(
  db: Db,
  rows: readonly R[],
  actor: Actor | null,
  why: typeof whyNotSeeProject = whyNotSeeProject,
): Promise<R[]> {
  if (isModerator(actor)) return [...rows];
  const anonymous_access = { ...anonymous, role: actor?.role ?? null };
  const doubtful = rows.filter(({ status }) => why(status, anonymous_access) !== null);
  const found = await accessToMany(
    db,
    doubtful.map(({ id }) => id),
    actor,
  );
  return rows.filter(({ id, status }) => why(status, found.get(id) ?? anonymous_access) === null);
}

/** The rows of the projects with these ids or slugs that the actor may see, in request order without duplicates. */
async function projectRowsByIds(
  db: Db,
  idsOrSlugs: readonly string[],
  actor: Actor | null,
): Promise<ProjectRow[]> {
  const names = [...new Set(idsOrSlugs)].filter(isName);
  if (names.length === 0) return [];
  const rows = await visibleProjects(
    db,
    await db<ProjectRow[]>`${selectRows(db)} where ${named(db, names)}`,
    actor,
  );
  return inOrderOfNames(rows, names);
}

/** The rows in the order in which `names` (ids or slugs) first name them. */
export function inOrderOfNames<R extends { id: string; slug: string }>(
  rows: R[],
  names: readonly string[],
): R[] {
  const end = names.length;
  const position = new Map(names.map((name, index) => [name, index]));
  const slug_index = new Map([...names].reverse().map((name, back) => [name.toLowerCase(), end - 1 - back]));
  const indexOf = ({ id, slug }: R) => Math.min(position.get(id) ?? end, slug_index.get(slug) ?? end);
  return rows.sort((a, b) => indexOf(a) - indexOf(b));
}

/**
 * The projects with these ids or slugs, without hidden and unknown ones. At most two round trips. Source: api-v2 §4.
 */
export async function projectsByIds(
  { sql, settings }: ReadContext,
  idsOrSlugs: readonly string[],
  actor: Actor | null,
): Promise<Project[]> {
  return (await projectRowsByIds(sql, idsOrSlugs, actor)).map((row) => projectOf(settings, row));
}

/** The project with this id or slug as its columns, null when it does not exist or is hidden from the actor. */
export async function findProjectRow(
  db: Db,
  idOrSlug: string,
  actor: Actor | null,
): Promise<ProjectRow | null> {
  const [row] = await projectRowsByIds(db, [idOrSlug], actor);
  return row ?? null;
}

/** A project as pages need it: with the type that it was started as, while no file says one. */
export interface PageProject extends Project {
  project_types: string[];
}

/** The project with this id or slug, null when it does not exist or is hidden from the actor. Source: api-v2 §4. */
export async function findProject(
  { sql, settings }: ReadContext,
  idOrSlug: string,
  actor: Actor | null,
): Promise<PageProject | null> {
  const row = await findProjectRow(sql, idOrSlug, actor);
  return row && { ...projectOf(settings, row), project_types: row.project_types };
}

/** The revision of what members set. Refuses `not_found`. */
export async function revisionOf(db: Db, project_id: string): Promise<number> {
  const [row] = await db<Array<{ revision: number }>>`select revision from projects where id = ${project_id}`;
  if (!row) throw new Refused('not_found');
  return row.revision;
}

/** The fields of a project that rules need. */
export interface ProjectRef {
  id: string;
  slug: string;
  team: string;
  organization: string | null;
  status: Status;
  archived: boolean;
}

/**
 * The project with this id or slug, even if hidden: for staff and for jobs. What people ask for goes through
 * `projectForAction`.
 */
export async function projectRef(db: Db, idOrSlug: string): Promise<ProjectRef | null> {
  if (!isName(idOrSlug)) return null;
  const [row] = await db<ProjectRef[]>`
    select p.id, p.slug, p.team, p.organization, p.status, p.archived from projects p
    where ${named(db, [idOrSlug])} order by p.id = ${idOrSlug} desc limit 1`;
  return row ?? null;
}

/** Whether a project has this slug, hidden or not, or it is kept for who had it. */
export async function isSlugTaken(db: Db, text: string): Promise<boolean> {
  if (!isName(text)) return false;
  const slug = text.toLowerCase();
  const [used] = await db`select 1 from projects where slug = ${slug}`;
  return used !== undefined || (await isKept(db, { kind: 'project', name: slug }, null));
}

/** The stated reason of a legal hold; null without one. */
export async function legalHoldReason(db: Db, project_id: string): Promise<string | null> {
  const [row] = await db<Array<{ reason: string }>>`
    select reason from takedowns where project_id = ${project_id} and ended is null`;
  return row?.reason ?? null;
}

/** Whether the project is under legal hold. */
export const isUnderLegalHold = async (db: Db, project_id: string): Promise<boolean> =>
  (await legalHoldReason(db, project_id)) !== null;

/** The refusal when no project is visible under this id or slug: 451 under legal hold, else 404. */
export async function notFoundReason(db: Db, idOrSlug: string): Promise<Refused> {
  const project = await projectRef(db, idOrSlug);
  const on_hold = project !== null && (await isUnderLegalHold(db, project.id));
  return new Refused(on_hold ? 'unavailable_for_legal_reasons' : 'not_found');
}

/** The current slug of the project that formerly had this one, or null: pages redirect, the API does not. */
export async function currentSlugOf(db: Db, slug: string): Promise<string | null> {
  if (!isName(slug)) return null;
  const [row] = await db<Array<{ slug: string }>>`
    select p.slug from old_slugs o join projects p on p.id = o.project_id where o.slug = ${slug.toLowerCase()}`;
  return row?.slug ?? null;
}

/**
 * The rows of `count` random searchable projects, of one type if given: ids are random, so those after a random id are
 * too. `from` is that id. Source: api-v2 §4; api-v3 §3.1.
 */
export async function randomRows(
  db: Db,
  { count, from, project_type = null }: { count: number; from: string; project_type?: string | null },
): Promise<ProjectRow[]> {
  const among = project_type === null ? db`` : db`and ${project_type} = any(project_types)`;
  return await db<ProjectRow[]>`
    with picked as (
      (select id, 0 as turn from projects where status = 'approved' and id >= ${from} ${among} order by id limit ${count})
      union all
      (select id, 1 from projects where status = 'approved' and id < ${from} ${among} order by id limit ${count})
      order by turn, id limit ${count}
    )
    ${selectRows(db)} where p.id in (select id from picked)`;
}

/** The last `limit` projects, newest first, in any status: what the operator's list shows. */
export const newestProjects = async (db: Db, limit: number) =>
  await db<Array<{ id: string; slug: string; title: string; status: Status; downloads: number }>>`
    select id, slug, title, status, downloads from projects order by published desc, id limit ${limit}`;
