import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './report.ts';
import { openCatalogue, type Size } from './search/catalogue.ts';
import { measureEngines } from './search/engines.ts';
import { measureProduct } from './search/product.ts';

/** Seeds of corpus and questions. Engines were tuned on corpus 7, so this one judges. */
const judging = { seed: 1, questions: 'judge' };

/**
 * Searches of section 6 of the reference over a generated catalogue: engines side by side, load with changes and a
 * rebuild going on, then the whole product. BENCH_PROJECTS says how many projects (100,000: about a quarter of an
 * hour); BENCH_DATA names a folder that is kept, so that the next run need not fill it. Adds to `rows`.
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
