/** Where profiles lie. Source: specification §2. */
export const userPath = (username: string): string => `/user/${encodeURIComponent(username)}`;
export const organizationPath = (slug: string): string => `/organization/${encodeURIComponent(slug)}`;
