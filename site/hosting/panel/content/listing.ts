import type { ContentItem } from '#db/hosting/servers/content/view.ts';

/** Which content is shown, and in which order. Pure. */

export const filters = ['all', 'enabled', 'disabled', 'updates', 'unknown', 'problems'] as const;
export type Filter = (typeof filters)[number];
export const orders = ['name', 'modified', 'size'] as const;
export type Order = (typeof orders)[number];

export interface Query {
  text: string;
  filter: Filter;
  order: Order;
}
export const firstQuery: Query = { text: '', filter: 'all', order: 'name' };

const tests: Record<Filter, (item: ContentItem) => boolean> = {
  all: () => true,
  enabled: ({ enabled }) => enabled,
  disabled: ({ enabled }) => !enabled,
  updates: ({ update }) => update !== null,
  unknown: ({ project }) => project === null,
  problems: ({ problem }) => problem !== null,
};

/** What an item is called: its project, or its file. */
export const titleOf = ({ project, file_name }: ContentItem): string => project?.title ?? file_name;

const isFound = (item: ContentItem, words: readonly string[]): boolean => {
  const text = `${titleOf(item)} ${item.file_name} ${item.version?.version_number ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The items that a query shows. `compare` orders titles in the language of the page. */
export function shownItems(
  items: readonly ContentItem[],
  { text, filter, order }: Query,
  compare: (a: string, b: string) => number,
): ContentItem[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((item) => tests[filter](item) && isFound(item, words));
  const byTitle = (a: ContentItem, b: ContentItem) =>
    compare(titleOf(a), titleOf(b)) || (a.path < b.path ? -1 : 1);
  if (order === 'modified') return found.sort((a, b) => b.modified - a.modified || byTitle(a, b));
  if (order === 'size') return found.sort((a, b) => b.bytes - a.bytes || byTitle(a, b));
  return found.sort(byTitle);
}

/** How many items each filter shows. */
export const counts = (items: readonly ContentItem[]): Record<Filter, number> =>
  Object.fromEntries(filters.map((name) => [name, items.filter(tests[name]).length])) as Record<
    Filter,
    number
  >;
