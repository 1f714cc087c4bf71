import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from './product.ts';
import { measureReads } from './reads.ts';
import { atMost, type Row } from './report.ts';
import { measureUpload } from './upload.ts';

/** Starts the product in its own folder and compares it with bare servers; about three minutes. Adds to `rows`. */
export async function measureSite(rows: Row[]): Promise<void> {
  const port = Number(process.env.BENCH_PORT ?? 5390);
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  let product = await startProduct(data_dir, port);
  try {
    rows.push(atMost('first start, packages installed', product.ready_s, 300, 's'));
    await product.stop();
    product = await startProduct(data_dir, port);
    rows.push(atMost('second start', product.ready_s, 20, 's'));
    rows.push(...(await measureReads(product)));
    for (const version of [2, 3] as const) rows.push(await measureUpload(product, version));
  } finally {
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}
