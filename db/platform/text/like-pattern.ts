/** The pattern by which `like` and `ilike` find `text` anywhere: its own signs of patterns mean themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
