import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright/test';
import { least_bytes } from '../../bin/compress.ts';

/** What one visit loads. Bytes on the wire, for scripts and style sheets with brotli. */
export interface Weight {
  /** External and inline scripts; data blocks do not count. */
  script_bytes: number;
  style_bytes: number;
  /** Bodies and headers of all responses. */
  total_bytes: number;
  requests: number;
  /** Compressible scripts that were sent uncompressed. */
  uncompressed: string[];
}

/**
 * Visits `path`, runs `work` and gives what was loaded, except user images (all below /data/) and the build manifest,
 * which every open page requests a second later, so that it would depend on the speed of the machine. Cached scripts and
 * style sheets count like others, but `total_bytes` is right in a fresh context only.
 */
export async function weigh(page: Page, path: string, work?: (page: Page) => Promise<void>): Promise<Weight> {
  // what the page before still waits for is none of it
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  const seen: Response[] = [];
  const known = new Set<string>();
  // repeated requests (the icon, after navigation) come from the cache
  const keep = (response: Response) => {
    const name = `${response.request().method()} ${response.url()}`;
    if (!known.has(name)) seen.push(response);
    known.add(name);
  };
  page.on('response', keep);
  await page.goto(path, { waitUntil: 'networkidle' });
  if (work) {
    await work(page);
    await page.waitForLoadState('networkidle');
  }
  page.off('response', keep);
  const ours = seen.filter((response) => !/^\/(data|builds)\//.test(new URL(response.url()).pathname));
  const of = (type: string) => ours.filter((one) => one.headers()['content-type']?.startsWith(type));
  const scripts = of('text/javascript');
  const inline = await page.evaluate(() =>
    [...document.scripts].filter(({ src, type }) => !src && !/json/.test(type)).map(({ text }) => text),
  );
  const sizes = await Promise.all(ours.map((response) => response.request().sizes()));
  return {
    script_bytes: (await compressedBytes(scripts)) + brotli(inline),
    style_bytes: await compressedBytes(of('text/css')),
    total_bytes: sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0),
    requests: ours.length,
    uncompressed: scripts
      .filter((one) => one.headers()['content-encoding'] !== 'br')
      .filter((one) => Number(one.headers()['content-length']) >= least_bytes)
      .map((one) => new URL(one.url()).pathname),
  };
}

/** Compressing the texts of a page takes a tenth of a second and more; pages share most of theirs. */
const compressed = new Map<string, number>();
/** The same by address, of files with a hash in their names: their bytes need not come out of the browser again. */
const compressedAt = new Map<string, number>();

async function compressedBytes(responses: readonly Response[]): Promise<number> {
  const sizes = await Promise.all(
    responses.map(async (response) => {
      const url = response.url();
      const bytes = compressedAt.get(url) ?? brotli([await response.body()]);
      if (new URL(url).pathname.startsWith('/_astro/')) compressedAt.set(url, bytes);
      return bytes;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function brotli(texts: ReadonlyArray<string | Buffer>): number {
  let sum = 0;
  for (const text of texts.map(String)) {
    const bytes = compressed.get(text) ?? brotliCompressSync(text).length;
    compressed.set(text, bytes);
    sum += bytes;
  }
  return sum;
}
