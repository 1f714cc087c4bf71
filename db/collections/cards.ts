import {
  joinOwner,
  type ProfileProject,
  type StoredProject,
  teaserColumns,
  toListItem,
} from '../projects/by-owner.ts';
import type { ReadContext } from '../read-context.ts';

/** A project in a collection: no long texts, so that a thousand stay small. */
export interface Card extends ProfileProject {
  /** Date of approval, else of creation. */
  date_created: string;
}

/** The cards of these projects in request order; the caller checks their visibility. */
export async function cardsOf({ sql: db, settings }: ReadContext, ids: readonly string[]): Promise<Card[]> {
  const rows = await db<Array<StoredProject & Pick<Card, 'date_created'>>>`
    select p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description, p.icon_key,
      p.categories, p.downloads, p.followers, coalesce(p.approved, p.published) as date_created, p.updated,
      ${teaserColumns(db)}
    from unnest(${ids as string[]}::text[]) with ordinality as asked (id, place)
    join projects p on p.id = asked.id
    ${joinOwner(db)}
    order by asked.place`;
  return rows.map((row) => toListItem(settings, row));
}
