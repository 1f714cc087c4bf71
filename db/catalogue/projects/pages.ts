import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { inPages } from '../../platform/runtime/pages.ts';
import { inOrderOfNames, isName, named, visibleProjects } from './read.ts';
import { type ProjectRow, selectRows } from './row.ts';
import type { Status } from './rules.ts';

/** A project before it is fetched, with its approximate response size. */
export interface ProjectRef {
  id: string;
  slug: string;
  published: string;
  bytes: number;
}

/** The columns of a `ProjectRef`, for `from projects p`. The size is read without loading the text. */
export const refColumns = (db: Db) => db`
  p.id, p.slug, p.published, (4000 + octet_length(p.body) + 12 * cardinality(p.game_versions)
    + 500 * (select count(*) from gallery g where g.project_id = p.id)
    + 12 * (select count(*) from versions v where v.project_id = p.id))::int as bytes`;

/** Those of these projects (ids or slugs) that the actor may see, in request order without duplicates. */
export async function projectRefs(
  db: Db,
  idsOrSlugs: readonly string[],
  actor: Actor | null,
): Promise<ProjectRef[]> {
  const names = [...new Set(idsOrSlugs)].filter(isName);
  if (names.length === 0) return [];
  const refs = await db<Array<ProjectRef & { status: Status }>>`
    select p.status, ${refColumns(db)} from projects p where ${named(db, names)}`;
  return inOrderOfNames(await visibleProjects(db, refs, actor), names);
}

/** The rows of `refs` in order, fetched page by page as they are consumed. */
export const rowsInOrder = (db: Db, refs: readonly ProjectRef[]): AsyncGenerator<ProjectRow> =>
  inPages(refs, async (page) => {
    const rows = await rowsByIds(db, page);
    return page.flatMap(({ id }) => rows.get(id) ?? []);
  });

/**
 * The projects with these ids or slugs that the actor may see, in request order without duplicates, fetched page by
 * page as they are consumed. Source: api-v2 §4.
 */
export const listRows = async (
  db: Db,
  idsOrSlugs: readonly string[],
  actor: Actor | null,
): Promise<AsyncGenerator<ProjectRow>> => rowsInOrder(db, await projectRefs(db, idsOrSlugs, actor));

/** The project of each key, when the actor may see it; fetched as they are consumed. */
export async function* projectsByKeys(
  db: Db,
  idsByKey: ReadonlyMap<string, string>,
  actor: Actor | null,
): AsyncGenerator<[key: string, project: ProjectRow]> {
  const refs = await projectRefs(db, [...new Set(idsByKey.values())], actor);
  const sizes = new Map(refs.map(({ id, bytes }) => [id, bytes]));
  const named = [...idsByKey].flatMap(([key, id]) => {
    const bytes = sizes.get(id);
    return bytes === undefined ? [] : [{ key, id, bytes }];
  });
  yield* inPages(named, async (page) => {
    const rows = await rowsByIds(db, page);
    return page.flatMap(({ key, id }): Array<[string, ProjectRow]> => {
      const row = rows.get(id);
      return row ? [[key, row]] : [];
    });
  });
}

/** The projects of `refs` by id, without visibility checks. One round trip. */
export async function rowsByIds(
  db: Db,
  refs: readonly Pick<ProjectRef, 'id'>[],
): Promise<Map<string, ProjectRow>> {
  const ids = [...new Set(refs.map(({ id }) => id))];
  const rows = await db<ProjectRow[]>`${selectRows(db)} where p.id = any(${ids}::text[])`;
  return new Map(rows.map((row) => [row.id, row]));
}
