import { Refused } from '../../../platform/errors.ts';
import { withArchive } from '../../../platform/files/zip.ts';
import { type ZipPart, zipOf } from '../../../platform/files/zip-write.ts';
import { ConcurrencyLimiter } from '../../../platform/runtime/concurrency.ts';
import type { ByteSource } from '../../../platform/storage/storage.ts';
import { manifestPaths } from './manifests.ts';

/** Each one reads an archive and packs it again; more wait. */
const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 16, timeout_ms: 30_000 });

/** What a data pack lacks to be a mod. */
export interface ModParts {
  /** New entries by their paths: manifests and an icon. They replace what the pack has there. */
  entries: ReadonlyMap<string, string | Uint8Array>;
  /** Of every entry, so that the same input always gives the same bytes. */
  modified: Date;
}

const manifest_path = 'pack.mcmeta';

/**
 * Gives `store` the bytes of the pack in `file` as a mod: its entries and those of `parts`, which is told the pack's
 * names. Manifests of mods that the pack brings are left out: they would make it a mod for loaders that nobody chose.
 * Nothing is held in memory but the directory and one piece; one pack at a time, at most 16 wait. Refuses
 * `data_pack_not_zip`, `data_pack_manifest_missing`, `busy`, and what `withArchive` and `store` refuse.
 */
export async function withModArchive<T>(
  file: { content: ByteSource; filename: string },
  parts: (names: ReadonlySet<string>) => Promise<ModParts> | ModParts,
  store: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  return await limiter.run(async () => {
    try {
      return await withArchive(file, async ({ names, chunks }) => {
        const found = new Set(names);
        if (!found.has(manifest_path))
          throw new Refused('data_pack_manifest_missing', { filename: file.filename });
        return await store(zipOf(partsOf(found, chunks, await parts(found))));
      });
    } catch (error) {
      if (error instanceof Refused && error.code === 'archive_unreadable')
        throw new Refused('data_pack_not_zip', { filename: file.filename });
      throw error;
    }
  });
}

function* partsOf(
  names: ReadonlySet<string>,
  chunks: (name: string) => AsyncIterable<Buffer>,
  { entries, modified: mtime }: ModParts,
): Generator<ZipPart> {
  for (const [name, content] of entries) yield { name, content: Buffer.from(content as string), mtime };
  for (const name of names)
    if (name.endsWith('/')) yield { name, content: null, mtime };
    else if (!entries.has(name) && !manifestPaths.includes(name))
      yield { name, content: chunks(name), mtime };
}
