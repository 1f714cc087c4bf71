import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { type Capacity, capacityOf, p99_limit_ms, sender } from './launchers/capacity.ts';
import { memoryOfAnswers } from './launchers/memory.ts';
import { type LauncherRequest, launcherTraffic } from './launchers/traffic.ts';
import { costOfTwoSites } from './launchers/two-sites.ts';
import { type Product, startBaseline, startProduct } from './product.ts';
import { informational, type Row } from './report.ts';

/**
 * Plays what launchers send and finds the rate that one site process carries, beside a bare server that sends the same
 * bytes; then what a request costs with one and with two site processes, and the memory of
 * ready answers. About ten minutes. Adds to `rows`.
 */
export async function measureLaunchers(rows: Row[]): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const product = await startProduct(data_dir, Number(process.env.BENCH_PORT ?? 5394));
  try {
    const requests = await launcherTraffic(product.url);
    const ours = await capacityOf(product.url, requests);
    const bare = await bareCapacity(product, requests);
    rows.push({
      ...informational(
        `launchers: requests a second, p99 below ${p99_limit_ms} ms`,
        words(ours),
        words(bare),
      ),
      ratio: Number((ours.per_second / bare.per_second).toPrecision(3)),
    });
    rows.push(await costOfTwoSites(product, requests));
    rows.push(await memoryOfAnswers(product, requests));
  } finally {
    await product.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

const words = ({ per_second, p99_ms }: Capacity): string => `${per_second} /s (p99 ${p99_ms.toFixed(0)} ms)`;

/** What a server carries that only sends bytes: the answers that the product gives, recorded now. */
async function bareCapacity(
  { url, data_dir }: Product,
  requests: readonly LauncherRequest[],
): Promise<Capacity> {
  const { send, close } = sender(url);
  const answers = new Map<string, Uint8Array>();
  for (const request of requests) answers.set(`${request.path} ${request.body ?? ''}`, await send(request));
  await close();
  const file = join(data_dir, 'bench-answers');
  writeFileSync(file, serialize(answers));
  const bare = await startBaseline({ ANSWERS: file }, 'bench/launchers/bare-server.ts');
  try {
    return await capacityOf(bare.url, requests);
  } finally {
    await bare.stop();
  }
}
