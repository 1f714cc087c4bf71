/**
 * Files that were dropped on the list of versions go to the form through a cache of the browser, which stores files without
 * loading them into memory. A site without HTTPS has none: there the form opens without them.
 */
const name = 'dropped-files';
const filename = 'x-filename';

/** Keeps files for the form that is opened next. */
export async function keepDropped(files: readonly File[]): Promise<void> {
  if (typeof caches === 'undefined') return;
  await caches.delete(name);
  const cache = await caches.open(name);
  for (const [place, file] of files.entries())
    await cache.put(
      `/dropped-files/${place}`,
      new Response(file, { headers: { [filename]: encodeURIComponent(file.name) } }),
    );
}

/** The files that were kept, once; none when the page was opened in another way. */
export async function droppedFiles(): Promise<readonly File[]> {
  if (typeof caches === 'undefined' || !new URLSearchParams(location.search).has('dropped')) return [];
  try {
    const cache = await caches.open(name);
    const files: File[] = [];
    for (const key of await cache.keys()) {
      const kept = await cache.match(key);
      const named = kept?.headers.get(filename);
      if (kept && named) files.push(new File([await kept.blob()], decodeURIComponent(named)));
    }
    await caches.delete(name);
    return files;
  } catch {
    return [];
  }
}
