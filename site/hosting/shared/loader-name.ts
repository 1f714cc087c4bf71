import { type ServerLoader, serverLoader } from '#db/hosting/server-kinds/data/loaders.ts';

/** The key of a loader's name: the tag `vanilla` is that of a shader loader. */
export const loaderNameKey = (loader: ServerLoader) =>
  loader === 'vanilla' ? 'loader.vanilla' : (`tags.${loader}` as const);

/** The name of a server's loader; null is the game without one. A loader that nobody knows keeps its own. */
export const loaderName = (
  { t }: { t(key: ReturnType<typeof loaderNameKey>): string },
  loader: string | null,
): string => {
  const name = loader ?? 'vanilla';
  return serverLoader(name) ? t(loaderNameKey(name as ServerLoader)) : name;
};
