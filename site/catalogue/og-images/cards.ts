import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ConcurrencyLimiter, QueueFull } from '#db/platform/runtime/concurrency.ts';
import { clientKey } from '#db/platform/runtime/requester.ts';
import type { AppServices } from '../../platform/context.ts';
import { type Card, design_version, render } from './card.ts';
import { cardContent } from './cards.server.ts';
import { openDiskCache } from './disk-cache.ts';
import { openFonts } from './fonts.ts';
import { textRenderer } from './text-renderer.ts';

interface Options {
  /** Maximum size of the image cache on disk. */
  cache_bytes?: number;
}

/** Icons are limited when they are stored; this limits objects of other origin. */
const max_icon_bytes = 4 * 1024 * 1024;

/**
 * Open Graph images of 1200 by 630 pixels: `GET /og/{kind}/{slug}.png` and `/og/site.png`. Checked against the database
 * on each request, so a hidden project's image disappears at once; rendered on demand, two at a time, and cached below
 * DATA_DIR/cache/cards by content. Overload is 503. Source: decisions §3.2.
 */
export async function cards(
  services: AppServices,
  { cache_bytes = 256 * 1024 ** 2 }: Options = {},
): Promise<(req: IncomingMessage, res: ServerResponse) => Promise<void>> {
  const cache = join(services.settings.DATA_DIR, 'cache');
  const disk = await openDiskCache(join(cache, 'cards'), cache_bytes);
  const pen = textRenderer(await openFonts(join(cache, 'fonts')));
  const limiter = new ConcurrencyLimiter({ max_running: 2, max_waiting: 50, timeout_ms: 10_000 });
  const running = new Map<string, Promise<Buffer>>();

  async function icon({ icon_key }: Card): Promise<Buffer | null> {
    if (!icon_key) return null;
    const size = (await services.storage.head(icon_key))?.size ?? 0;
    if (size === 0 || size > max_icon_bytes) return null;
    const stream = await services.storage.read(icon_key);
    return stream && (await buffer(stream));
  }

  async function made(name: string, card: Card): Promise<Buffer> {
    const cached = await disk.get(name);
    if (cached) return cached;
    // several may wait for it: it is drawn although the first of them left
    const drawn = await limiter.run(async () => render(card, await icon(card), pen), { client: clientKey() });
    await disk.put(name, drawn);
    return drawn;
  }

  /** One rendering for all concurrent requests for the same image. */
  function picture(name: string, card: Card): Promise<Buffer> {
    let one = running.get(name);
    if (!one) {
      one = made(name, card).finally(() => running.delete(name));
      running.set(name, one);
    }
    return one;
  }

  return async (req, res) => {
    const url = new URL(req.url ?? '/', services.settings.SITE_URL);
    res.setHeader('x-content-type-options', 'nosniff');
    const found = await cardContent(services, url.pathname, url.searchParams.get('hl'));
    if (!found) return end(res, 404);
    if ('to' in found) return end(res.setHeader('location', found.to + url.search), 301);
    const name = createHash('sha256')
      .update(JSON.stringify([design_version, found]))
      .digest('hex');
    const etag = `"${name.slice(0, 32)}"`;
    res.setHeader('etag', etag);
    if (req.headers['if-none-match']?.includes(etag)) return end(res, 304);
    const bytes = await picture(name, found).catch((error: unknown) => {
      if (error instanceof QueueFull) return null;
      throw error;
    });
    if (!bytes) {
      res.removeHeader('etag');
      return end(res.setHeader('retry-after', '2'), 503);
    }
    res.setHeader('content-type', 'image/png');
    res.setHeader('content-length', bytes.length);
    res.setHeader('cross-origin-resource-policy', 'cross-origin');
    end(res, 200, req.method === 'HEAD' ? undefined : bytes);
  };
}

/** Must be revalidated: a hidden project's image disappears with its page. */
function end(res: ServerResponse, status: number, body?: Buffer): void {
  res.setHeader('cache-control', status === 503 ? 'no-store' : 'no-cache');
  res.writeHead(status).end(body);
}
