import { loadersOf } from '#db/servers/content/rules.ts';
import type { ServerContentType } from '#db/servers/content/view.ts';
import type { ServerView } from '#db/servers/view.ts';

/** Search pages on which content for a server is chosen. Pure. */

/** The loaders whose content of a type the server runs; none for types that no loader restricts. */
export function loadersFor(
  { loader }: Pick<ServerView, 'loader'>,
  type: ServerContentType | 'modpack',
): readonly string[] {
  if (!loader || type === 'datapack' || type === 'modpack') return [];
  return loadersOf(type, loader);
}

/** The search page for content that fits: `sid` has it install into the server. */
export function addressOfCatalogue(
  server: Pick<ServerView, 'id' | 'loader' | 'game_version'>,
  type: ServerContentType | 'modpack',
): string {
  const query = new URLSearchParams({ sid: server.id });
  for (const loader of loadersFor(server, type)) query.append('g', loader);
  // a modpack brings its own game version
  if (type !== 'modpack') query.append('v', server.game_version);
  return `/${type}s?${query}`;
}
