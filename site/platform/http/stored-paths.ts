import type { Storage } from '#db/platform/storage/storage.ts';

/** The path of the site at which the object with this storage key is served. */
export const storedPath = (key: string): string => `/${key.split('/').map(encodeURIComponent).join('/')}`;

/** The paths of all objects below a folder of the storage. */
export async function storedPathsBelow(storage: Pick<Storage, 'list'>, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { key } of storage.list(folder)) paths.push(storedPath(key));
  return paths;
}
