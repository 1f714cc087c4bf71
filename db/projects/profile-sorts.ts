/** How the projects of a user, organization or collection can be sorted. */
export const profileSorts = ['downloads', 'follows', 'newest', 'updated'] as const;
export type ProfileSort = (typeof profileSorts)[number];
