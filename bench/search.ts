import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './report.ts';
import { openCatalogue, type Size } from './search/catalogue.ts';
import { measureEngines } from './search/engines.ts';
import { measureProduct } from './search/product.ts';

/** Seeds of catalogue and queries. Engines were tuned on catalogue 7, so this one is for the evaluation. */
const judging = { seed: 1, questions: 'judge' };

/**
 * Search benchmarks (section 6 of the reference) on a generated catalogue: engines compared, load with changes and a
 * rebuild, then the whole product. BENCH_PROJECTS sets the number of projects (100,000: about a quarter of an hour);
 * BENCH_DATA names a folder in which the catalogue is kept for the next run. Adds to `rows`.
 */
export async function measureSearch(rows: Row[]): Promise<void> {
  const kept = process.env.BENCH_DATA;
  const size: Size = {
    data_dir: kept ?? mkdtempSync(join(tmpdir(), 'cairn-bench-search-')),
    projects: Number(process.env.BENCH_PROJECTS ?? 100_000),
    seed: judging.seed,
  };
  try {
    const catalogue = await openCatalogue(size);
    await measureEngines(rows, catalogue, judging.questions).finally(() => catalogue.close());
    await measureProduct(rows, size.data_dir);
  } finally {
    if (!kept) rmSync(size.data_dir, { recursive: true, force: true });
  }
}
