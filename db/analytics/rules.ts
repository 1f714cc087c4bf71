import type { RefusalCode } from '../errors.ts';

/** What is counted. */
export const kinds = ['view', 'download', 'playtime'] as const;
export type Kind = (typeof kinds)[number];

/** By what counts can be told apart, beside time and project; columns of the analytics tables. */
export const dimensions = [
  'version_id',
  'country',
  'loader',
  'game_version',
  'source',
  'reason',
  'dependent_id',
  'domain',
  'site_path',
  'monetized',
] as const;
export type Dimension = (typeof dimensions)[number];

/** Types of projects in the paths of pages. Source: api-v2 §14. */
const project_page = /^\/(?:mod|modpack|plugin|resourcepack|shader|datapack)\/([^/]{1,64})(\/|$)(.*)/;

/** Views of one project by one network that earn money within six hours. Source: api-behaviours §10. */
export const monetisedViews = 3;

/** Downloads of one project by one network that count until six hours have passed since the last. Source: api-behaviours §10. */
export const countedDownloads = 6;

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

const screens = ['version', 'versions', 'gallery', 'changelog', 'settings', 'moderation'];
const general = ['mods', 'modpacks', 'plugins', 'resourcepacks', 'shaders', 'datapacks', 'servers', 'news'];

/**
 * The path of a page as charts tell pages apart: without names, so that there are few. `/mod/x/version/1.2` is `/project/version`,
 * what nobody would ask for is `/other`.
 */
export function siteSection(path: string): string {
  const [, , , rest] = project_page.exec(path) ?? [];
  if (rest !== undefined) {
    const screen = rest.split('/', 1)[0]!;
    return screen === '' ? '/project' : screens.includes(screen) ? `/project/${screen}` : '/project/other';
  }
  if (path === '/') return '/';
  const first = path.split('/', 2)[1]!;
  return general.includes(first) ? `/${first}` : '/other';
}
