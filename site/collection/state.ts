import type { Card } from '#db/collections/cards.ts';
import type { Kind } from '../project/types.ts';
import { shownKind } from '../project/types.ts';

export const orders = ['arranged', 'downloads', 'follows', 'updated', 'newest'] as const;
export type Order = (typeof orders)[number];

/** What the page of a collection is asked for: the query of its address. */
export interface CollectionState {
  text: string;
  order: Order;
  page: number;
}

/** Cards on one page. */
export const perPage = 50;

/** Reads a query; what it does not understand counts as absent, so that no address is an error. */
export function parseState(query: URLSearchParams): CollectionState {
  const page = Number.parseInt(query.get('page') ?? '', 10);
  return {
    text: (query.get('q') ?? '').trim().slice(0, 200),
    order: orders.find((order) => order === query.get('s')) ?? 'arranged',
    page: page >= 1 && page <= 1000 ? page : 1,
  };
}

/** The address of a state below `path`, without what is the default. */
export function addressOf(path: string, { text, order, page }: CollectionState, hl: string | null): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  if (order !== 'arranged') query.set('s', order);
  if (page > 1) query.set('page', String(page));
  if (hl) query.set('hl', hl);
  return query.size > 0 ? `${path}?${query}` : path;
}

const by: Record<Exclude<Order, 'arranged'>, (a: Card, b: Card) => number> = {
  downloads: (a, b) => b.downloads - a.downloads,
  follows: (a, b) => b.followers - a.followers,
  updated: (a, b) => Date.parse(b.updated) - Date.parse(a.updated),
  newest: (a, b) => Date.parse(b.date_created) - Date.parse(a.date_created),
};

const names = ({ title, description, author, organization }: Card) =>
  [title, description, author, organization?.name].join('\n').toLowerCase();

/** Those of one kind (null: all) that hold every word of the text, in the order asked for; ties stay as arranged. */
export function chosen(cards: readonly Card[], kind: Kind | null, { text, order }: CollectionState): Card[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter(
    (card) =>
      (!kind || shownKind(card).type === kind.type) && wanted.every((word) => names(card).includes(word)),
  );
  return order === 'arranged' ? found : found.sort(by[order]);
}
