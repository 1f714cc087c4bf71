import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvents } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Donation, existingCategories, linkChanges } from '../projects/fields.ts';
import { limits } from '../projects/limits.ts';
import { visibleProjects } from '../projects/read.ts';
import { type Status, whyNotEditTogether } from '../projects/rules.ts';
import { accessToMany } from '../teams/access.ts';

type Names = readonly string[] | null | undefined;

/** Changes of one list of categories: replaced, then without some, then with others up to the maximum. */
interface ListChange {
  set: Names;
  remove: Names;
  add: Names;
}

/** One change for several projects. */
export interface BulkChange {
  categories: ListChange;
  additional_categories: ListChange;
  /** URL by platform, null removes it; platforms not named stay. */
  links: Readonly<Record<string, string | null>>;
}

/** What the change of a project depends on. */
interface EditedLists {
  categories: string[];
  additional_categories: string[];
  donation_urls: Donation[];
}
interface Row extends EditedLists {
  id: string;
  status: Status;
}

/**
 * Edits all of these projects or none, in a constant number of statements. Refuses `project_unknown` (400, one of the
 * ids), `not_a_member`, `permission_missing`, `link_platform_unknown`. Source: api-v2 §4.3; api-v3 §3.1.
 */
export async function editProjects(
  tx: Db,
  actor: Actor,
  project_ids: readonly string[],
  change: BulkChange,
): Promise<void> {
  const ids = [...new Set(project_ids)];
  const rows = await tx<Row[]>`
    select id, status, categories, additional_categories, donation_urls from projects
    where id = any(${ids}::text[]) order by id for no key update`;
  const found = new Set((await visibleProjects(tx, rows, actor)).map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new Refused('project_unknown', { id: missing });
  for (const [project_id, access] of await accessToMany(tx, ids, actor))
    assertAllowed(whyNotEditTogether(access), { permission: 'EDIT_DETAILS', project_id });
  const fields = fieldsOf(change);
  if (rows.length === 0 || fields.length === 0) return;
  await saveLists(tx, rows, change);
  const { donation_urls: _own, ...common } = linkChanges({ donation_urls: [] }, change.links);
  if (Object.keys(common).length > 0)
    await tx`update projects set ${tx(common as never)} where id = any(${ids}::text[])`;
  const events = ids.map((project_id) => ({
    name: 'project.edited' as const,
    actor_id: actor.user_id,
    project_id,
    data: { fields },
  }));
  await recordEvents(tx, events);
}

/** The columns that the change names. */
function fieldsOf({ links, ...lists }: BulkChange): string[] {
  const named = (['categories', 'additional_categories'] as const).filter((column) =>
    Object.values(lists[column]).some((names) => names != null),
  );
  return [...named, ...Object.keys(linkChanges({ donation_urls: [] }, links))];
}

/** The columns whose new value depends on the old one. */
async function saveLists(tx: Db, rows: readonly Row[], change: BulkChange): Promise<void> {
  const values = rows.map((row) => ({ id: row.id, ...editedLists(row, change) }));
  await tx`
    update projects p set categories = n.categories, additional_categories = n.additional_categories,
      donation_urls = n.donation_urls
    from jsonb_to_recordset(${tx.json(values as never)})
      as n (id text, categories text[], additional_categories text[], donation_urls jsonb)
    where p.id = n.id`;
}

/** The lists of a project after the change; a category that is added stands in one list only. */
export function editedLists(project: EditedLists, change: BulkChange): EditedLists {
  const categories = changedList(project.categories, change.categories, limits.categories);
  const {
    additional_categories: { add, ...additional },
  } = change;
  return {
    categories,
    additional_categories: changedList(
      project.additional_categories,
      { ...additional, add: add?.filter((name) => !categories.includes(name)) },
      limits.additional_categories,
    ),
    donation_urls: linkChanges(project, change.links).donation_urls ?? project.donation_urls,
  };
}

/** Order: set, remove, add until the maximum. Unknown names are ignored, as in every edit. Source: api-v2 §4.2, §4.3. */
function changedList(stored: readonly string[], { set, remove, add }: ListChange, max: number): string[] {
  const removed = new Set(remove ?? []);
  const kept = (set ? existingCategories(set) : stored).filter((name) => !removed.has(name));
  const added = existingCategories(add ?? []).filter((name) => !kept.includes(name));
  return [...kept, ...added.slice(0, Math.max(0, max - kept.length))];
}
