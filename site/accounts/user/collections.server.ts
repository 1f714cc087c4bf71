import type { Collection } from '#db/catalogue/collections/shape.ts';
import { iconsOf } from '#db/catalogue/projects/by-owner.ts';
import { type PageContext, redirectPastEnd } from '../../catalogue/profile/profile.server.ts';
import { type ListState, lastPage, matchesText, parseList } from '../../platform/lists/list-query.ts';
import { type CollectionSort, collectionSorts, collections_per_page } from './collection-list.ts';

/** A collection as a tile: its own icon, else the icons of its first projects. */
export type Tile = Pick<Collection, 'id' | 'name' | 'description' | 'icon_url' | 'updated'> & {
  size: number;
  icons: Array<string | null>;
};

const icons_of_tile = 3;

/** The requested page of a user's collections. */
export interface CollectionList {
  state: ListState<CollectionSort>;
  total: number;
  tiles: Tile[];
  here: string;
}

const by: Record<Exclude<CollectionSort, 'newest'>, (a: Collection, b: Collection) => number> = {
  updated: (a, b) => Date.parse(b.updated) - Date.parse(a.updated),
  size: (a, b) => b.projects.length - a.projects.length,
};

/** The requested page of `all` (newest first), or the redirect to the last one. */
export async function loadCollections(
  page: PageContext,
  all: readonly Collection[],
  here: string,
): Promise<CollectionList | Response> {
  const state = parseList(page.url.searchParams, collectionSorts);
  const found = all.filter(({ name, description }) => matchesText([name, description], state.text));
  if (state.sort !== 'newest') found.sort(by[state.sort]);
  const away = redirectPastEnd(page, here, state, {
    sorts: collectionSorts,
    last: lastPage(found.length, collections_per_page),
  });
  if (away) return away;
  const displayed = found.slice((state.page - 1) * collections_per_page, state.page * collections_per_page);
  return { state, total: found.length, tiles: await tilesOf(page.locals, displayed), here };
}

/** Collections as tiles, in one query. */
export async function tilesOf(
  { services, tag }: App.Locals,
  collections: readonly Collection[],
): Promise<Tile[]> {
  const firsts = collections.map(({ projects }) => projects.slice(0, icons_of_tile));
  const icons = await iconsOf(services, [...new Set(firsts.flat())]);
  for (const { id } of collections) tag(`collection:${id}`);
  return collections.map(({ id, name, description, icon_url, updated, projects }, position) => ({
    ...{ id, name, description, icon_url, updated },
    size: projects.length,
    icons: firsts[position]!.map((project) => icons.get(project) ?? null),
  }));
}
