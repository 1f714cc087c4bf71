/** The sort orders of a user's collections. */
export const collectionSorts = ['newest', 'updated', 'size'] as const;
export type CollectionSort = (typeof collectionSorts)[number];

/** Collections per page. */
export const collections_per_page = 24;
