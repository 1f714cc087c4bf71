import type { ServerLoader } from '#db/hosting/server-kinds/data/loaders.ts';

/** The key of a loader's name: the tag `vanilla` is that of a shader loader. */
export const loaderNameKey = (loader: ServerLoader) =>
  loader === 'vanilla' ? 'loader.vanilla' : (`tags.${loader}` as const);

/** The name of a server's loader; null is the game without one. A loader without a name is called by its id. */
export const loaderName = (
  { t }: { t(key: ReturnType<typeof loaderNameKey>): string },
  loader: string | null,
): string => {
  // most pages need the names only, not the table of loaders
  const key = loaderNameKey((loader ?? 'vanilla') as ServerLoader);
  const text = t(key);
  return text === key && loader ? loader : text;
};
