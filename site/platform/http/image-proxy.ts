import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { ConcurrencyLimiter, QueueFull } from '#db/platform/runtime/concurrency.ts';
import { clientKey } from '#db/platform/runtime/requester.ts';
import { imageKey, isSigned } from '#db/platform/text/image-address.ts';
import type { AppServices } from '../context.ts';
import { type CachedImage, imageCache } from './images/cache.ts';
import { type FetchOptions, imageFetcher, NoImage } from './images/fetch.ts';
import { imageTypes } from './images/kind.ts';

export interface ImageProxyOptions extends FetchOptions {
  /** Maximum size of the image cache on disk. */
  cache_bytes?: number;
  /** Time limit for fetching a whole image. */
  timeout_ms?: number;
}

const largest_bytes = 10 * 1024 * 1024;
const failed_for_ms = 60_000;

/**
 * Proxies external images in user-written text, so that visitors make no requests to foreign servers: `GET
 * /data/_image?url=…&s=…`, signed by `imageAddress`. Public addresses only; png, jpeg, gif, webp, avif and bmp by their
 * magic bytes; at most 10 MiB and 10 s; cached on disk below DATA_DIR/cache/images. Anything else is 404, overload 503.
 * Source: decisions §1.4; specification §5 (image proxy).
 */
export async function imageProxy(
  { settings, sql, log }: Pick<AppServices, 'settings' | 'sql' | 'log'>,
  { cache_bytes = 1024 ** 3, timeout_ms = 10_000, ...fetching }: ImageProxyOptions = {},
): Promise<(req: IncomingMessage, res: ServerResponse) => Promise<void>> {
  const key = await imageKey(sql);
  const cache = await imageCache(join(settings.DATA_DIR, 'cache/images'), cache_bytes);
  const fetch = imageFetcher(fetching, `Cairn image proxy (${settings.SITE_URL})`);
  const running = new Map<string, Promise<CachedImage>>();
  const failed = new LRUCache<string, true>({ max: 10_000, ttl: failed_for_ms });
  const limiter = new ConcurrencyLimiter({ max_running: 24, max_waiting: 200, timeout_ms });

  async function load(url: string): Promise<CachedImage> {
    try {
      const { body, length } = await fetch(url, AbortSignal.timeout(timeout_ms));
      if (length !== null && length > largest_bytes) {
        body.on('error', () => {}).destroy();
        throw new NoImage('too large');
      }
      return await cache.put(url, body, largest_bytes);
    } catch (error) {
      failed.set(url, true);
      log.info(
        { err: error, host: URL.parse(url)?.host },
        'An external image could not be fetched; the visitor gets 404',
      );
      throw error;
    }
  }

  /** One fetch for all concurrent requests for the same image. */
  function image(url: string): Promise<CachedImage> {
    const cached = cache.get(url);
    if (cached) return Promise.resolve(cached);
    let loading = running.get(url);
    if (!loading) {
      loading = limiter.run(() => load(url), { client: clientKey() }).finally(() => running.delete(url));
      running.set(url, loading);
    }
    return loading;
  }

  /** Opens the file before the headers are sent: another process may have evicted it. */
  async function opened(url: string): Promise<{ image: CachedImage; file: FileHandle }> {
    for (let attempt = 1; ; attempt++) {
      const found = await image(url);
      const file = await open(found.path).catch(() => null);
      if (file) return { image: found, file };
      cache.drop(url);
      if (attempt === 2) throw new NoImage('gone from the cache');
    }
  }

  return async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(res, 405);
    const query = new URL(req.url ?? '', 'http://here').searchParams;
    const url = query.get('url') ?? '';
    if (!isSigned(url, query.get('s') ?? '', key) || failed.has(url)) return refuse(res, 404);
    const found = await opened(url).catch((error: unknown) => (error instanceof QueueFull ? 503 : 404));
    if (typeof found === 'number') return refuse(res, found);
    const etag = `"${found.image.etag}"`;
    res.setHeader('etag', etag);
    res.setHeader('cache-control', 'public, max-age=604800');
    res.setHeader('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'");
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('cross-origin-resource-policy', 'cross-origin');
    const unchanged = req.headers['if-none-match']?.includes(etag);
    if (!unchanged) {
      res.setHeader('content-type', imageTypes[found.image.kind]);
      res.setHeader('content-length', found.image.size);
    }
    if (unchanged || req.method === 'HEAD') {
      await found.file.close();
      res.writeHead(unchanged ? 304 : 200).end();
      return;
    }
    await pipeline(found.file.createReadStream(), res).catch(() => {}); // the client disconnected
  };
}

function refuse(res: ServerResponse, status: 404 | 405 | 503): void {
  res.setHeader('cache-control', status === 404 ? 'public, max-age=60' : 'no-store');
  if (status === 405) res.setHeader('allow', 'GET, HEAD');
  if (status === 503) res.setHeader('retry-after', '2');
  res.writeHead(status).end();
}
