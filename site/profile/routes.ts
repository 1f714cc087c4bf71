/** Where profiles lie. Source: specification §2. */
export const userPath = (username: string): string => `/user/${encodeURIComponent(username)}`;
/** The last part of the address of a person's collections, and that address. Source: screens A.4. */
export const collectionsPart = 'collections';
export const userCollectionsPath = (username: string): string => `${userPath(username)}/${collectionsPart}`;
export const organizationPath = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;
