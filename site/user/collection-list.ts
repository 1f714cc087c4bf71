/** How the collections of a user can be sorted. */
export const collectionSorts = ['newest', 'updated', 'size'] as const;
export type CollectionSort = (typeof collectionSorts)[number];

/** Collections on one page. */
export const collections_per_page = 24;
