import type { Card } from '#db/catalogue/collections/cards.ts';
import { type ListState, matchesText } from '../../platform/lists/list-query.ts';
import { type ProjectTypeInfo, typeOfProject } from '../../platform/paths/project-types.ts';

export const orders = ['arranged', 'downloads', 'follows', 'updated', 'newest'] as const;
export type Order = (typeof orders)[number];

/** The query of a collection page. */
export type CollectionState = ListState<Order>;

const by: Record<Exclude<Order, 'arranged'>, (a: Card, b: Card) => number> = {
  downloads: (a, b) => b.downloads - a.downloads,
  follows: (a, b) => b.followers - a.followers,
  updated: (a, b) => Date.parse(b.updated) - Date.parse(a.updated),
  newest: (a, b) => Date.parse(b.date_created) - Date.parse(a.date_created),
};

/** The items of one type (null: all) that contain every word of the text, sorted; ties keep the curator's order. */
export function filterItems(
  cards: readonly Card[],
  kind: ProjectTypeInfo | null,
  { text, sort }: CollectionState,
): Card[] {
  const found = cards.filter(
    (card) =>
      (!kind || typeOfProject(card).type === kind.type) &&
      matchesText([card.title, card.description, card.author, card.organization?.name], text),
  );
  return sort === 'arranged' ? found : found.sort(by[sort]);
}
