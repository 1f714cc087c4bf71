import { parseCookie, stringifySetCookie } from 'cookie';

/** The cookies of the site. Source: specification §9 (Cookies); design, Seams (Cookies). */

const years10_s = 10 * 365 * 86_400;
const longest_s = 400 * 86_400; // what browsers keep at most

/** The cookie `name` of a request, decoded, or null. */
export const cookie = (request: Request, name: string): string | null =>
  parseCookie(request.headers.get('cookie') ?? '')[name] ?? null;

/**
 * The session token of the `auth-token` cookie, or null when the request may not use it: it came from another site,
 * or it wants to change something and does not say from where. Following a link to a page counts as coming from here.
 */
export function cookieToken(request: Request, siteUrl: string): string | null {
  const token = cookie(request, 'auth-token');
  return token?.startsWith('mra_') && isSameOrigin(request, siteUrl) ? token : null;
}

/** Whether a browser sent the request from one of our own pages, by Sec-Fetch-Site, else by Origin. */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const reading = request.method === 'GET' || request.method === 'HEAD';
  const { headers } = request;
  const site = headers.get('sec-fetch-site');
  if (site) {
    const followed =
      headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
    return site === 'same-origin' || site === 'none' || (reading && followed);
  }
  const origin = headers.get('origin');
  if (origin === null) return reading;
  return origin === new URL(siteUrl).origin || origin.replace(/^https?:\/\//, '') === headers.get('host');
}

const common = (siteUrl: string, maxAge: number) => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: siteUrl.startsWith('https:'),
  maxAge,
});

/** Set-Cookie text that keeps the session token where no script can read it; null ends it. */
export const authCookie = (token: string | null, siteUrl: string): string =>
  stringifySetCookie({
    name: 'auth-token',
    value: token ?? '',
    httpOnly: true,
    ...common(siteUrl, token === null ? 0 : longest_s),
  });

export const colorModes = ['system', 'light', 'dark', 'oled', 'retro'] as const;
export type ColorMode = (typeof colorModes)[number];

/** The theme a person chose; `system` without a valid cookie. */
export function colorMode(request: Request): ColorMode {
  const text = cookie(request, 'color-mode');
  return colorModes.find((mode) => mode === text) ?? 'system';
}

const displays = ['list', 'grid', 'gallery'] as const;
export type Display = (typeof displays)[number];

/** Preferences of layout and behaviour, with the specification's defaults. Source: specification §3. */
export const defaultCosmetics = {
  rightSearchLayout: false,
  leftContentLayout: false,
  advancedRendering: true,
  externalLinksNewTab: true,
  notUsingBlockers: false,
  hideModrinthAppPromos: false,
  preferredDarkTheme: 'dark' as ColorMode,
  hideStagingBanner: false,
  searchDisplayMode: {
    mod: 'list',
    plugin: 'list',
    resourcepack: 'gallery',
    modpack: 'list',
    shader: 'gallery',
    datapack: 'list',
    user: 'list',
    collection: 'list',
  } as Record<string, Display>,
};
export type Cosmetics = typeof defaultCosmetics;

/** The preferences of the `cosmetics` cookie: known keys of the right kind, the default for everything else. */
export function cosmetics(request: Request): Cosmetics {
  const given = parsed(cookie(request, 'cosmetics'));
  const made: Record<string, unknown> = structuredClone(defaultCosmetics);
  for (const [key, value] of Object.entries(defaultCosmetics)) {
    if (typeof value === 'boolean' && typeof given[key] === 'boolean') made[key] = given[key];
  }
  const dark = given.preferredDarkTheme;
  if (['dark', 'oled', 'retro'].includes(dark as string)) made.preferredDarkTheme = dark;
  const modes = made.searchDisplayMode as Record<string, Display>;
  for (const [type, mode] of Object.entries(Object(given.searchDisplayMode))) {
    if (type in modes && displays.includes(mode as Display)) modes[type] = mode as Display;
  }
  return made as Cosmetics;
}

export const cosmeticsCookie = (value: Cosmetics, siteUrl: string): string =>
  stringifySetCookie({ name: 'cosmetics', value: JSON.stringify(value), ...common(siteUrl, years10_s) });

function parsed(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Record<string, unknown>;
  } catch {
    return {}; // a broken cookie is no cookie
  }
}
