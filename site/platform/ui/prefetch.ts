/** Maximum number of prefetched pages. Source: specification §9. */
export const max_prefetched = 5;

const page =
  /^\/(?:(?:mod|plugin|datapack|shader|resourcepack|modpack|project|user|organization|collection)\/|[a-z]+s$|$)/;

/**
 * The address to prefetch for a link to `href`, or null: only public, cacheable pages; never files (their downloads are
 * counted), never personal pages.
 */
export function ahead(href: string, here: string): string | null {
  const from = new URL(here);
  const to = new URL(href, from);
  to.hash = '';
  from.hash = '';
  if (to.origin !== from.origin || to.href === from.href || !page.test(to.pathname)) return null;
  return /^\/(settings|servers|flags)/.test(to.pathname) ? null : to.href;
}
