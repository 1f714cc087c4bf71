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
 * The pages of the demo world as a phone on a slow line sees them, what they weigh, and what the store of ready pages
 * gives and takes; about a quarter of an hour. BENCH_VISITS (5) visits a page; BENCH_DISTINCT (10,000) distinct pages;
 * BENCH_DEMO names a folder with the demo world that is kept. Adds to `rows`. Source: decisions §3.3.
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
