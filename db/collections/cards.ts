import {
  joinOwner,
  type ProfileProject,
  type StoredProject,
  teaserColumns,
  toListItem,
} from '../projects/by-owner.ts';
import type { Db } from '../sql.ts';

/** What the list of a collection shows of a project: no long texts, so that a thousand are no burden. */
export interface Card extends ProfileProject {
  /** When it was approved, else made. */
  date_created: string;
}

/** The cards of these projects in the order asked for; whether they may be seen is the caller's question. */
export async function cardsOf(db: Db, ids: readonly string[]): Promise<Card[]> {
  const rows = await db<Array<StoredProject & Pick<Card, 'date_created'>>>`
    select p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description, p.icon_key,
      p.categories, p.downloads, p.followers, coalesce(p.approved, p.published) as date_created, p.updated,
      ${teaserColumns(db)}
    from unnest(${ids as string[]}::text[]) with ordinality as asked (id, place)
    join projects p on p.id = asked.id
    ${joinOwner(db)}
    order by asked.place`;
  return rows.map((row) => toListItem(row));
}
