import { persistentCookie } from './cookie-text.ts';

/**
 * Layout preferences, stored in the browser only. Public pages are cached for everybody, so the layout follows
 * attributes on `<html>`: `Page.astro` writes the defaults, `ui/scripts/first.js` those of the cookie before the first
 * paint. Source: specification §3 (Cosmetics preferences), §9 (Cookies).
 */

const displayModes = ['list', 'grid', 'gallery'] as const;
export type DisplayMode = (typeof displayModes)[number];

const darkThemes = ['dark', 'oled', 'retro'] as const;
export type DarkTheme = (typeof darkThemes)[number];

/** The lists whose layout is stored, with their default. */
const displayDefaults = {
  mod: 'list',
  plugin: 'list',
  resourcepack: 'gallery',
  modpack: 'list',
  shader: 'gallery',
  datapack: 'list',
  user: 'list',
  collection: 'list',
} as const satisfies Record<string, DisplayMode>;
export type DisplayType = keyof typeof displayDefaults;
const displayTypes = Object.keys(displayDefaults) as DisplayType[];

/** `notUsingBlockers`: whether the note for visitors who block ads was answered. It is shown once. */
const switches = {
  rightSearchLayout: false,
  leftContentLayout: false,
  advancedRendering: true,
  externalLinksNewTab: true,
  notUsingBlockers: false,
  hideCairnAppPromos: false,
  hideStagingBanner: false,
};
export type CosmeticsSwitch = keyof typeof switches;

export interface Cosmetics extends Record<CosmeticsSwitch, boolean> {
  preferredDarkTheme: DarkTheme;
  searchDisplayMode: Record<DisplayType, DisplayMode>;
}

export const defaults: Cosmetics = {
  ...switches,
  preferredDarkTheme: 'dark',
  searchDisplayMode: displayDefaults,
};

/**
 * Parses a `cosmetics` cookie (decoded or not): known fields of the right type, the default for everything else. Never
 * throws. `hideModrinthAppPromos` is the specification's name of `hideCairnAppPromos`.
 */
export function parseCosmetics(text: string | null | undefined): Cosmetics {
  const given = parsed(text);
  given.hideCairnAppPromos ??= given.hideModrinthAppPromos;
  const modes = Object(given.searchDisplayMode) as Record<string, unknown>;
  return {
    ...(Object.fromEntries(
      Object.entries(switches).map(([name, usual]) => [
        name,
        typeof given[name] === 'boolean' ? given[name] : usual,
      ]),
    ) as Record<CosmeticsSwitch, boolean>),
    preferredDarkTheme:
      darkThemes.find((theme) => theme === given.preferredDarkTheme) ?? defaults.preferredDarkTheme,
    searchDisplayMode: Object.fromEntries(
      displayTypes.map((type) => [
        type,
        displayModes.find((mode) => mode === modes[type]) ?? displayDefaults[type],
      ]),
    ) as Record<DisplayType, DisplayMode>,
  };
}

function parsed(text: string | null | undefined): Record<string, unknown> {
  try {
    const json = text?.startsWith('%') ? decodeURIComponent(text) : text;
    return { ...Object(JSON.parse(json || '{}')) } as Record<string, unknown>;
  } catch {
    return {}; // a broken cookie counts as none
  }
}

/** The cookie that stores `cosmetics`: only non-default values, since every request carries it. */
export function cosmeticsCookie(cosmetics: Cosmetics): string {
  const own: Record<string, unknown> = Object.fromEntries(
    Object.entries(cosmetics).filter(([name, value]) => value !== defaults[name as keyof Cosmetics]),
  );
  const modes = displayTypes.filter(
    (type) => cosmetics.searchDisplayMode[type] !== defaults.searchDisplayMode[type],
  );
  if (modes.length)
    own.searchDisplayMode = Object.fromEntries(
      modes.map((type) => [type, cosmetics.searchDisplayMode[type]]),
    );
  else delete own.searchDisplayMode;
  return persistentCookie('cosmetics', JSON.stringify(own), 'lax');
}

/**
 * The attributes of `<html>` that the layout follows: `data-display-<type>` (list, grid, gallery), `data-filters` and
 * `data-sidebar` (the side of search filters and of a page's sidebar: start or end), `data-rendering` (full, plain),
 * `data-external-links` (new, same: the tab they open in), `data-staging-banner` and `data-app-promos` (shown, hidden).
 */
export const rootAttributes = (cosmetics: Cosmetics): Record<`data-${string}`, string> => ({
  ...Object.fromEntries(
    displayTypes.map((type) => [`data-display-${type}`, cosmetics.searchDisplayMode[type]]),
  ),
  'data-filters': cosmetics.rightSearchLayout ? 'end' : 'start',
  'data-sidebar': cosmetics.leftContentLayout ? 'start' : 'end',
  'data-rendering': cosmetics.advancedRendering ? 'full' : 'plain',
  'data-external-links': cosmetics.externalLinksNewTab ? 'new' : 'same',
  'data-staging-banner': cosmetics.hideStagingBanner ? 'hidden' : 'shown',
  'data-app-promos': cosmetics.hideCairnAppPromos ? 'hidden' : 'shown',
});
