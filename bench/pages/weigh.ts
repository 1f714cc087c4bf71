import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright/test';
import { least_bytes } from '../../bin/compress.ts';

/** What one visit loads. Bytes are those of the wire, of scripts and style sheets as brotli makes them. */
export interface Weight {
  /** Scripts of their own and inline ones; data in script elements is none. */
  script_bytes: number;
  style_bytes: number;
  /** Bodies and heads of all answers. */
  total_bytes: number;
  requests: number;
  /** Scripts that were worth compressing and came as they are. */
  uncompressed: string[];
}

/**
 * Visits `path`, does `work` and gives what was loaded besides pictures that people uploaded, which all lie below
 * /data/, and the manifest of the build, which every open page asks for a second later: whether it falls into a visit
 * says how slow the machine is. The page's context must be fresh: what is cached weighs nothing.
 */
export async function weigh(page: Page, path: string, work?: (page: Page) => Promise<void>): Promise<Weight> {
  const seen: Response[] = [];
  const known = new Set<string>();
  // what is asked for again (the icon, after a change of the address) comes from the cache
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
    script_bytes: brotli([...(await bodies(scripts)), ...inline]),
    style_bytes: brotli(await bodies(of('text/css'))),
    total_bytes: sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0),
    requests: ours.length,
    uncompressed: scripts
      .filter((one) => one.headers()['content-encoding'] !== 'br')
      .filter((one) => Number(one.headers()['content-length']) >= least_bytes)
      .map((one) => new URL(one.url()).pathname),
  };
}

const bodies = (responses: readonly Response[]): Promise<Buffer[]> =>
  Promise.all(responses.map((response) => response.body()));
const brotli = (texts: ReadonlyArray<string | Buffer>): number =>
  texts.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
