/** Sort orders of hits. `relevance` needs a text query. Source: search §2. */
export const sorts = ['relevance', 'downloads', 'follows', 'newest', 'updated'] as const;
export type Sort = (typeof sorts)[number];
