import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { visibleProjects } from '../projects/read.ts';
import { type Status, slugPattern } from '../projects/rules.ts';

/**
 * The ids of the projects with these ids or slugs, in the given order without duplicates; locks them against deletion
 * until the commit. `unknown` are names that match nothing the actor may see; projects already in the collection may
 * stay.
 */
export async function collectionProjects(
  tx: Db,
  names: readonly string[],
  actor: Actor,
  collection_id: string | null = null,
): Promise<{ ids: string[]; unknown: string[] }> {
  const possible = names.filter((name) => slugPattern.test(name)); // NUL must not reach Postgres
  const rows = await tx<Array<{ id: string; slug: string; status: Status }>>`
    select id, slug, status from projects
    where id = any(${possible}) or slug = any(${possible.map((name) => name.toLowerCase())})
    order by id for key share`;
  // read after the projects are locked, so that none that was just removed returns
  const remaining = await tx<Array<{ id: string }>>`
    select project_id as id from collection_projects where collection_id = ${collection_id}`;
  const known = new Set([...remaining, ...(await visibleProjects(tx, rows, actor))].map(({ id }) => id));
  const found = rows.filter(({ id }) => known.has(id));
  const byId = new Map(found.map(({ id }) => [id, id]));
  const bySlug = new Map(found.map(({ id, slug }) => [slug, id]));
  const ids = names.map((name) => byId.get(name) ?? bySlug.get(name.toLowerCase()));
  return {
    ids: [...new Set(ids.filter((id) => id !== undefined))],
    unknown: names.filter((_, position) => ids[position] === undefined),
  };
}

/** Sets the projects of the collection to `ids`, in this order; its row is locked or new. */
export async function replaceProjects(tx: Db, collection_id: string, ids: readonly string[]): Promise<void> {
  const list = ids as string[];
  await tx`delete from collection_projects where collection_id = ${collection_id} and project_id <> all(${list}::text[])`;
  await tx`
    insert into collection_projects (collection_id, project_id, place)
    select ${collection_id}, project_id, place from unnest(${list}::text[]) with ordinality as given (project_id, place)
    on conflict (collection_id, project_id) do update set place = excluded.place`;
}
