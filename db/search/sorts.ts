/** How hits can be sorted. `relevance` needs words to search for. Source: search §2. */
export const sorts = ['relevance', 'downloads', 'follows', 'newest', 'updated'] as const;
export type Sort = (typeof sorts)[number];
