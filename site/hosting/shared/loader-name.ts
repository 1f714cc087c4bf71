import { type ServerLoader, serverLoader, serverLoaderNames } from '#db/hosting/server-kinds/data/loaders.ts';

/** The key of its name: the tag `vanilla` is that of a shader loader. */
const nameKey = (loader: ServerLoader) =>
  loader === 'vanilla' ? 'loader.vanilla' : (`tags.${loader}` as const);

/** What an island gets to name loaders. */
export const loaderNameTexts = serverLoaderNames.map(nameKey);

/** The name of a server's loader; null is the game without one. A loader that nobody knows keeps its own. */
export const loaderName = (
  { t }: { t(key: (typeof loaderNameTexts)[number]): string },
  loader: string | null,
): string => {
  const name = loader ?? 'vanilla';
  return serverLoader(name) ? t(nameKey(name as ServerLoader)) : name;
};
