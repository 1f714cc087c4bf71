import { contentFolder } from '#db/hosting/servers/content/rules.ts';
import type { ContentItem, ServerContentType } from '#db/hosting/servers/content/view.ts';
import { parentOf } from '../files/paths.ts';

/** Where files of content lie. Pure. */

/** A data pack lies in the world: its usual name, unless a pack that is there says another. */
const usual_world = 'world';

/** Content is a program or an archive; nothing else in these folders is loaded. */
const endings: Record<ServerContentType, RegExp> = {
  mod: /\.jar$/i,
  plugin: /\.jar$/i,
  datapack: /\.zip$/i,
};

/** Where the server loads files of a type from. */
export const folderOf = (type: ServerContentType, items: readonly ContentItem[]): string => {
  const known = items.find((item) => item.type === type);
  return known ? parentOf(known.path) : contentFolder(type, usual_world);
};

/** What a file is on a server that loads `types`, by its name; null when it is none of them. */
export const typeOfFile = (name: string, types: readonly ServerContentType[]): ServerContentType | null =>
  types.find((type) => endings[type].test(name)) ?? null;
