import type { ServerView } from '#db/hosting/servers/view.ts';
import { addressOfCatalogue } from '../../hosting/panel/content/catalogue.ts';
import type { InstallType } from './install-prefixes.ts';

/** What is different about the rest of the search page while content is chosen for a server. */

/** The groups of filters that are locked cannot be used. */
export function lockFilters(locked: readonly string[]): void {
  for (const group of document.querySelectorAll('[data-filters] > div > details')) {
    const field = group.querySelector<HTMLInputElement>('.filter input')?.name;
    group.toggleAttribute('inert', locked.length > 0 && (field === 'g' || field === 'v'));
  }
}

/** The links to other types lead to what fits the server among these. */
export function linkTypes(server: ServerView | null): void {
  if (!server) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-kinds] a')) {
    const type = link.pathname.slice(1).replace(/s$/, '');
    if (!isInstallType(type)) {
      link.hidden = true;
      continue;
    }
    const query = new URLSearchParams(addressOfCatalogue(server, type).split('?')[1]);
    for (const [name, value] of new URLSearchParams(link.search))
      if (!query.has(name)) query.append(name, value);
    link.search = `${query}`;
  }
}
const isInstallType = (type: string): type is InstallType =>
  ['mod', 'plugin', 'datapack', 'modpack'].includes(type);
