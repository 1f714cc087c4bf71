import type { RefusalCode } from '../errors.ts';

/** Types of projects in the paths of pages. Source: api-v2 §14. */
const project_page = /^\/(?:mod|modpack|plugin|resourcepack|shader|datapack)\/([^/]{1,64})(?:\/|$)/;

/** Views of one project by one network that earn money within six hours. Source: api-behaviours §10. */
export const monetisedViews = 3;

/** Longer entries were not played in one go between two reports. Source: api-v2 §14; api-behaviours §10. */
export const countsAsPlayed = (seconds: number): boolean => seconds >= 1 && seconds <= 300;

/** Views are counted of pages of this site, or of another one that shows its projects. Source: api-v2 §14. */
export const whyNotView = (url: string, origins: readonly string[]): RefusalCode | null =>
  URL.canParse(url) && origins.includes(new URL(url).origin) ? null : 'url_foreign';

/** The id or slug of the project whose page has this path, or null. */
export function projectOfPage(path: string): string | null {
  const [, name] = project_page.exec(path) ?? [];
  try {
    return name ? decodeURIComponent(name) : null;
  } catch {
    return null;
  }
}
