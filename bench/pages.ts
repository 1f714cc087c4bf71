import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as browserOfSystem } from '../bin/chromium.ts';
import { measureInvalidationLatency } from './pages/invalidation-latency.ts';
import { measurePageMetrics } from './pages/page-metrics.ts';
import { measureStore } from './pages/store.ts';
import { startProduct } from './product.ts';
import type { Row } from './report.ts';

/**
 * The pages of the demo content as seen by a phone on a slow connection, their weight, and throughput and memory of
 * the page cache; about a quarter of an hour. BENCH_VISITS (5): visits per page;
 * BENCH_PAGES: names of the pages to measure, all by default; BENCH_DISTINCT (10,000): distinct
 * pages; BENCH_DEMO: a folder in which the demo content is kept. Adds to `rows`. Source: decisions §3.3.
 */
export async function measurePages(rows: Row[]): Promise<void> {
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const kept = process.env.BENCH_DEMO;
  const data_dir = kept ?? mkdtempSync(join(tmpdir(), 'cairn-bench-pages-'));
  const product = await startProduct(data_dir, port);
  try {
    rows.push(...(await measurePageMetrics(product.url, await browserOfSystem())));
    rows.push(...(await measureInvalidationLatency(product)));
    rows.push(...(await measureStore(product)));
  } finally {
    await product.stop();
    if (!kept) rmSync(data_dir, { recursive: true, force: true });
  }
}
