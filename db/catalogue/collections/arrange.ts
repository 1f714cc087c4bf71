import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { collectionProjects, replaceProjects } from './entries.ts';
import { lockCollection, recordChange } from './write.ts';

/** How a curator leaves the list of a collection. */
export interface Arrangement {
  /** Ids of projects in their order; those of `shown` that are missing here are removed. */
  order: readonly string[];
  /** The projects that the curator saw: what was added meanwhile stays, at the end. */
  shown: readonly string[];
  /** Notes by project id; null or an empty text removes one, absent ones stay. At most 200 characters each. */
  notes: Readonly<Record<string, string | null>>;
}

/**
 * Orders and removes the projects of a collection and sets their notes, in a constant number of statements; gives the
 * arrangement that was there before. A project that was removed before and still can be seen comes back, so that a
 * removal can be undone. Refuses `not_found`, `not_yours`.
 */
export async function arrangeCollection(
  tx: Db,
  actor: Actor,
  id: string,
  { order, shown, notes }: Arrangement,
  now: Date,
): Promise<Arrangement> {
  const collection = await lockCollection(tx, id, actor);
  const before = await tx<Array<{ id: string; note: string | null }>>`
    select project_id as id, note from collection_projects where collection_id = ${id} order by place, project_id`;
  const added = before.filter((entry) => !shown.includes(entry.id) && !order.includes(entry.id));
  const { ids } = await collectionProjects(tx, [...order, ...added.map((entry) => entry.id)], actor, id);
  await replaceProjects(tx, id, ids);
  const rows = Object.entries(notes).map(([project_id, note]) => ({
    project_id,
    note: note?.trim() || null,
  }));
  await tx`
    update collection_projects e set note = n.note
    from jsonb_to_recordset(${tx.json(rows)}) as n (project_id text, note text)
    where e.collection_id = ${id} and e.project_id = n.project_id and e.note is distinct from n.note`;
  await tx`update collections set updated = ${now} where id = ${id}`;
  await recordChange(tx, 'edited', collection, actor, ['projects']);
  return {
    order: before.map((entry) => entry.id),
    shown: ids,
    notes: Object.fromEntries(before.map((entry) => [entry.id, entry.note])),
  };
}
