/** Pages asked for before they are gone to, at most. Source: specification §9. */
export const max_prefetched = 5;

const page =
  /^\/(?:(?:mod|plugin|datapack|shader|resourcepack|modpack|project|user|organization|collection)\/|[a-z]+s$|$)/;

/**
 * The address to ask for ahead when one is about to follow `href`, or null: only pages that are the same for everybody
 * and cost the server nothing, never files (their downloads are counted), never what belongs to a person.
 */
export function ahead(href: string, here: string): string | null {
  const from = new URL(here);
  const to = new URL(href, from);
  to.hash = '';
  from.hash = '';
  if (to.origin !== from.origin || to.href === from.href || !page.test(to.pathname)) return null;
  return /^\/(settings|servers|flags)/.test(to.pathname) ? null : to.href;
}
