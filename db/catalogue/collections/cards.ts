import type { ReadContext } from '../../platform/read-context.ts';
import {
  joinOwner,
  type ProfileProject,
  type StoredProject,
  teaserColumns,
  toListItem,
} from '../projects/by-owner.ts';

/** A project in a collection: no long texts, so that a thousand stay small. */
export interface Card extends ProfileProject {
  /** Date of approval, else of creation. */
  date_created: string;
  /** What the curator says about it. */
  note: string | null;
}

/** The cards of these projects in request order, with the notes of the collection; the caller checks their visibility. */
export async function cardsOf(
  { sql: db, settings }: ReadContext,
  ids: readonly string[],
  collection_id: string | null = null,
): Promise<Card[]> {
  const rows = await db<Array<StoredProject & Pick<Card, 'date_created' | 'note'>>>`
    select p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description, p.icon_key,
      p.categories, p.downloads, p.followers, coalesce(p.approved, p.published) as date_created, p.updated, e.note,
      ${teaserColumns(db)}
    from unnest(${ids as string[]}::text[]) with ordinality as asked (id, place)
    join projects p on p.id = asked.id
    left join collection_projects e on e.collection_id = ${collection_id} and e.project_id = p.id
    ${joinOwner(db)}
    order by asked.place`;
  return rows.map((row) => toListItem(settings, row));
}
