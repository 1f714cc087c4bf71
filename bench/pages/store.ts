import { join } from 'node:path';
import { compare } from '../measure.ts';
import { type Product, startBaseline } from '../product.ts';
import { browser, keepAnswer } from '../reads.ts';
import { atMost, informational, type Row, ratioAtMost } from '../report.ts';
import { peakWhile, residentBytes } from '../resident.ts';
import { type Budget, budgets } from './budgets.ts';

const distinct = Number(process.env.BENCH_DISTINCT ?? 10_000);
const clients = 8;
const MB = 1e6;

/** Cached pages compared with a bare server for the same bytes, then the memory of ten thousand distinct pages. */
export async function measureStore(product: Product): Promise<Row[]> {
  const rows: Row[] = [];
  for (const budget of budgets) if (!budget.signed_in) rows.push(await served(product, budget));
  const { url } = product;
  const pages = await addresses(url);
  const began = performance.now();
  const peak = await peakWhile(url, () => views(url, pages));
  const took = (performance.now() - began) / 1000;
  const again = await peakWhile(url, () => views(url, pages));
  await views(url, popular(pages));
  const before = await residentBytes(url);
  await views(url, popular(pages));
  const after = await residentBytes(url);
  rows.push(
    informational(`${distinct} distinct pages made`, `${(distinct / took).toFixed(0)}/s, ${clients} clients`),
    atMost(`memory with ${distinct} distinct pages, highest`, peak / MB, 400, 'MB'),
    atMost(`memory while all are read again, highest`, again / MB, 400, 'MB'),
    ratioAtMost(1.05, {
      name: `memory after ${distinct} views to that of ${distinct} views before`,
      ratio: after / before,
      ours: `${(after / MB).toFixed(0)} MB`,
      baseline: `${(before / MB).toFixed(0)} MB`,
    }),
  );
  return rows;
}

async function served({ url, data_dir }: Product, { name, path, prerendered }: Budget): Promise<Row> {
  const page = await keepAnswer({ url: url + path, headers: browser }, join(data_dir, 'bench-page'));
  const bare = await startBaseline({ KEPT: JSON.stringify([page]) });
  try {
    return await compare(
      `${name}: ready page to bare HTTP with the same bytes`,
      prerendered ? 0.8 : 0.5,
      { url: url + path, headers: browser, seconds: 3 },
      { url: `${bare.url}/bytes/0`, headers: browser, seconds: 3 },
    );
  } finally {
    await bare.stop();
  }
}

/** As many different URLs as needed: pages of all kinds for the projects of the catalogue. */
async function addresses(url: string): Promise<string[]> {
  const paths: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const answer = await fetch(`${url}/v2/search?limit=100&offset=${offset}`);
    const { hits } = (await answer.json()) as { hits: Array<{ slug: string; project_type: string }> };
    if (hits.length === 0) break;
    for (const { slug, project_type } of hits)
      for (const part of ['', '/versions', '/changelog', '/gallery'])
        paths.push(`/${project_type}/${slug}${part}`);
  }
  return Array.from({ length: distinct }, (_, n) => `${paths[n % paths.length]}?n=${n}`);
}

/** A hundred of them in rotation: the typical load. */
const popular = (pages: readonly string[]): string[] => pages.map((_, n) => pages[n % 100] ?? '');

/** Requests all pages, a few at a time. Throws on an error status. */
async function views(url: string, pages: readonly string[]): Promise<void> {
  const waiting = pages.values();
  const read = async () => {
    for (const page of waiting) {
      const answer = await fetch(url + page, { headers: browser });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${page} was answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, read));
}
