import type { MessageKey } from '#content/keys.ts';
import type { ServerLoader } from '#db/hosting/server-kinds/rules.ts';

const names = {
  // the tag of the same name is that of a shader loader
  vanilla: 'loader.vanilla',
  paper: 'tags.paper',
  purpur: 'tags.purpur',
  fabric: 'tags.fabric',
  quilt: 'tags.quilt',
  neoforge: 'tags.neoforge',
  forge: 'tags.forge',
} as const satisfies Record<ServerLoader, MessageKey>;

/** What an island gets to name loaders. */
export const loaderNameTexts = Object.values(names);

/** The name of a server's loader; null is the game without one. A loader that nobody knows keeps its own. */
export const loaderName = (
  { t }: { t(key: (typeof loaderNameTexts)[number]): string },
  loader: string | null,
): string => {
  const name = loader ?? 'vanilla';
  return Object.hasOwn(names, name) ? t(names[name as ServerLoader]) : name;
};
