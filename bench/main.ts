import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './measure.ts';
import { startProduct } from './product.ts';
import { measureReads } from './reads.ts';
import { measureUpload } from './upload.ts';

/**
 * `npm run bench`: starts the product on a folder of its own, measures it against bare servers in the same run and
 * prints ratios. Bounded in time (about three minutes); results also lie in bench/results/ as JSON.
 */
const port = Number(process.env.BENCH_PORT ?? 5390);
const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
const rows: Row[] = [];
const seconds = (name: string, value: number, target: number): Row => ({
  name,
  ratio: null,
  target: null,
  ours: `${value.toFixed(1)} s`,
  baseline: `at most ${target} s`,
});

let product = await startProduct(data_dir, port);
try {
  rows.push(seconds('first start, packages installed', product.ready_s, 300));
  await product.stop();
  product = await startProduct(data_dir, port);
  rows.push(seconds('second start', product.ready_s, 20));
  rows.push(...(await measureReads(product)));
  rows.push(await measureUpload(product));
} finally {
  await product.stop();
  rmSync(data_dir, { recursive: true, force: true });
}

console.table(
  Object.fromEntries(
    rows.map(({ name, ratio, target, ours, baseline }) => [
      name,
      { ratio: ratio === null ? '' : Number(ratio.toFixed(2)), target: target ?? '', ours, baseline },
    ]),
  ),
);
const folder = new URL('./results/', import.meta.url);
mkdirSync(folder, { recursive: true });
const file = new URL(`${new Date().toISOString().replaceAll(':', '-')}.json`, folder);
writeFileSync(file, JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, rows }, null, 2));
process.exit(rows.every(({ ratio, target }) => ratio === null || target === null || ratio >= target) ? 0 : 1);
