import { isKind, kindOffers } from '#db/hosting/server-kinds/rules.ts';
import { loadersOf } from '#db/hosting/servers/content/rules.ts';
import type { ServerContentType } from '#db/hosting/servers/content/view.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';

/** Search pages on which content for a server is chosen. Pure. */

/** The loaders whose content of a type the server runs; none for types that no loader restricts. */
export function loadersFor(
  { loader }: Pick<ServerView, 'loader'>,
  type: ServerContentType | 'modpack',
): readonly string[] {
  if (!loader || type === 'datapack' || type === 'modpack') return [];
  return loadersOf(type, loader);
}

/**
 * The game versions whose content fits a server: its own. A modpack brings its game version, so all fit that servers of its kind
 * can run.
 */
export function versionsFor(
  { kind, game_version }: Pick<ServerView, 'kind' | 'game_version'>,
  type: ServerContentType | 'modpack',
): readonly string[] {
  if (type !== 'modpack') return [game_version];
  return isKind(kind) ? kindOffers[kind].game_versions : [];
}

/** The search page for content that fits: `sid` has it install into the server. */
export function addressOfCatalogue(
  server: Pick<ServerView, 'id' | 'kind' | 'loader' | 'game_version'>,
  type: ServerContentType | 'modpack',
): string {
  const query = new URLSearchParams({ sid: server.id });
  for (const loader of loadersFor(server, type)) query.append('g', loader);
  for (const version of versionsFor(server, type)) query.append('v', version);
  return `/${type}s?${query}`;
}
