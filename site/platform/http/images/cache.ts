import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { NoImage } from './fetch.ts';
import { head_bytes, type ImageKind, imageKind } from './kind.ts';

export interface CachedImage {
  path: string;
  size: number;
  kind: ImageKind;
  /** A part of the SHA-256 of the bytes. */
  etag: string;
}

const ttl_ms = 7 * 86_400_000;
const named = /^([0-9a-f]{64})\.([0-9a-f]{32})\.([a-z]+)$/;

/**
 * Fetched images as files of one folder, named `address.content.kind` by hashes, at most `limit_bytes` in total. The
 * least recently used are evicted first, and each expires after a week. Files of an earlier run are reused.
 */
export async function imageCache(folder: string, limit_bytes: number) {
  await mkdir(folder, { recursive: true });
  const images = new LRUCache<string, CachedImage>({
    maxSize: limit_bytes,
    sizeCalculation: ({ size }) => Math.max(1, size),
    ttl: ttl_ms,
    disposeAfter: ({ path }, key) => {
      if (images.peek(key)?.path !== path) void rm(path, { force: true });
    },
  });
  const keyOf = (url: string) => createHash('sha256').update(url).digest('hex');

  const found: Array<{ key: string; image: CachedImage; at: number }> = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const [, key, etag, kind] = named.exec(name) ?? [];
    const about = await stat(path).catch(() => null);
    if (!about) continue;
    if (key && etag && kind) {
      found.push({
        key,
        image: { path, size: about.size, kind: kind as ImageKind, etag },
        at: about.mtimeMs,
      });
    } else if (Date.now() - about.mtimeMs > 60_000) await rm(path, { force: true }); // a download that was interrupted
  }
  for (const { key, image, at } of found.sort((a, b) => a.at - b.at)) {
    const left = at + ttl_ms - Date.now();
    if (left > 0) images.set(key, image, { ttl: left });
    else await rm(image.path, { force: true });
  }

  return {
    get: (url: string): CachedImage | null => images.get(keyOf(url)) ?? null,
    drop: (url: string): void => void images.delete(keyOf(url)),

    /** Writes an image while it is received. Throws `NoImage` beyond `max_bytes` or when the bytes are not an image. */
    async put(url: string, body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<CachedImage> {
      const arriving = join(folder, `${randomUUID()}.part`);
      const file = createWriteStream(arriving);
      const written = new Promise<void>((done, fail) => file.once('close', done).once('error', fail));
      written.catch(() => {}); // the failing write reports it
      const hash = createHash('sha256');
      let head = Buffer.alloc(0);
      let size = 0;
      try {
        for await (const chunk of body) {
          size += chunk.byteLength;
          if (size > max_bytes) throw new NoImage('too large');
          if (head.length < head_bytes) {
            head = Buffer.concat([head, chunk]).subarray(0, head_bytes);
            if (head.length === head_bytes && !imageKind(head)) throw new NoImage('no picture');
          }
          hash.update(chunk);
          if (!file.write(chunk))
            await Promise.race([new Promise<void>((go) => file.once('drain', () => go())), written]);
        }
        const kind = imageKind(head);
        if (!kind) throw new NoImage('no picture');
        file.end();
        await written;
        const etag = hash.digest('hex').slice(0, 32);
        const image = { path: join(folder, `${keyOf(url)}.${etag}.${kind}`), size, kind, etag };
        await rename(arriving, image.path);
        images.set(keyOf(url), image);
        return image;
      } catch (error) {
        file.destroy();
        await written.catch(() => {}); // a file that is still being opened would appear after its removal
        await rm(arriving, { force: true });
        throw error;
      }
    },
  };
}
