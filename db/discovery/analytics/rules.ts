import type { RefusalCode } from '../../platform/errors.ts';

/** What is counted. */
export type Kind = 'view' | 'download' | 'playtime';

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

/** ISO 3166 has no such country. */
export const unknownCountry = 'XX';

const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
/** Slices of one chart. Source: api-v3 §3.13. */
export const maxSlices = 1024;
/** Up to this length a chart may have slices below an hour, see `shortestSlice`. */
export const minutely_h = 12;

/**
 * The shortest slice of a time, in milliseconds. Slices below an hour are read from single records, of which an hour has
 * as many as a year has sums: only charts of the last minutes and hours need them. Source: api-v3 §3.13; screens §A.6;
 * decisions §1.9.
 */
export const shortestSlice = (range_ms: number): number =>
  range_ms <= minutely_h * hour_ms ? minute_ms : hour_ms;

/** Why nothing can be counted from `from` to `until`; clocks of clients may be a day ahead. */
export const whyNotTime = (from: Date, until: Date, now: Date): RefusalCode | null =>
  from >= until || from.getTime() < 0 || from.getTime() > now.getTime() + 24 * hour_ms
    ? 'analytics_time_range'
    : null;

/** Why a time may not be told apart by slices of `slice_ms`. */
export const whyNotSlices = (range_ms: number, slice_ms: number): RefusalCode | null =>
  slice_ms < shortestSlice(range_ms) || Math.ceil(range_ms / slice_ms) > maxSlices
    ? 'analytics_slices'
    : null;

/** An announcement without an end is about a moment. */
export const whyNotAnnounced = ({ starts, ends }: { starts: Date; ends: Date | null }): RefusalCode | null =>
  ends !== null && ends <= starts ? 'analytics_event_dates' : null;

/** Types of projects in the paths of pages. Source: api-v2 §14. */
const project_page = /^\/(?:mod|modpack|plugin|resourcepack|shader|datapack)\/([^/]{1,64})(\/|$)(.*)/;

/** How many impressions of ads count for one network within six hours: as many pages as a household reads. */
export const impressionsOfNetwork = 120;

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
