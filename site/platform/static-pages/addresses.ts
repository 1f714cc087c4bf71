/** Where Astro prerenders pages; `bin/build.ts` moves the folder from `dist/client` to `dist/pages`. */
export const static_folder = '/static';

/** The first segments of addresses that only prerendered pages have. */
const firstSegments = ['app', 'docs', 'frog', 'legal', 'news', 'plus'];

/** Whether only a prerendered page can be at `path`. */
export const isStaticPath = (path: string): boolean =>
  firstSegments.some(
    (segment) => path === `/${segment}` || path.startsWith(`/${segment}/`) || path.startsWith(`/${segment}.`),
  );

/** The address of a page, from its address with the language in front as astro-i18next writes it. */
export function pathOfStatic(localized: string, tag: string): string {
  const prefix = `/${tag}`;
  if (localized === prefix) return '/';
  return localized.startsWith(`${prefix}/`) ? localized.slice(prefix.length) : localized;
}

/** The address of a page with its language in front; the default language has none. */
export const localizedPath = (path: string, tag: string, defaultTag: string): string =>
  tag === defaultTag ? path : `/${tag}${path}`;
