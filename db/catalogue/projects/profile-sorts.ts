/** Sort orders for the projects of a user, organization or collection. */
export const profileSorts = ['downloads', 'follows', 'newest', 'updated'] as const;
export type ProfileSort = (typeof profileSorts)[number];
