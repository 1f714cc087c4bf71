import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { inPages } from '../../platform/runtime/pages.ts';
import { selectRows, type VersionRow, visibleVersions } from './row.ts';

/** A version before it is fetched: fields that decide its visibility, and its approximate response size. */
export interface VersionRef
  extends Pick<VersionRow, 'id' | 'project_id' | 'status' | 'date_published' | 'project_status'> {
  bytes: number;
}

/** The columns of a `VersionRef`, for `from versions v join projects p`. Sizes are read without loading the texts. */
export const refColumns = (db: Db, { changelog = true } = {}) => db`
  v.id, v.project_id, v.status, v.date_published, p.status as project_status,
  (1000 ${changelog ? db`+ octet_length(v.changelog)` : db``} + 12 * cardinality(v.game_versions)
    + 600 * (select count(*) from files f where f.version_id = v.id)
    + 200 * (select count(*) from dependencies d where d.version_id = v.id))::int as bytes`;

/** The versions of `refs` in order, fetched page by page; those deleted meanwhile are left out. */
export const rowsInOrder = (
  db: Db,
  refs: readonly VersionRef[],
  options: { changelog?: boolean },
): AsyncGenerator<VersionRow> =>
  inPages(refs, async (page) => {
    const rows = await rowsByIds(db, page, options);
    return page.flatMap(({ id }) => rows.get(id) ?? []);
  });

/** The versions of `refs` by id, without visibility checks. One round trip. */
export async function rowsByIds(
  db: Db,
  refs: readonly Pick<VersionRef, 'id'>[],
  options: { changelog?: boolean } = {},
): Promise<Map<string, VersionRow>> {
  if (refs.length === 0) return new Map();
  const ids = [...new Set(refs.map(({ id }) => id))];
  const rows = await db<VersionRow[]>`${selectRows(db, options)} where v.id = any(${ids}::text[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The versions with these ids that the actor may see, explicitly ordered ones first, then by date, ascending. */
export async function refsByIds(
  db: Db,
  ids: readonly string[],
  actor: Actor | null,
  options: { changelog?: boolean },
): Promise<VersionRef[]> {
  if (ids.length === 0) return [];
  const refs = await db<VersionRef[]>`
    select ${refColumns(db, options)} from versions v join projects p on p.id = v.project_id
    where v.id = any(${ids as string[]}::text[])
    order by v.ordering nulls last, v.date_published, v.id`;
  return await visibleVersions(db, refs, actor);
}
