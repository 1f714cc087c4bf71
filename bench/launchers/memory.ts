import { proportionalBytes } from '../../bin/process-memory.ts';
import type { Product } from '../product.ts';
import { atMost, type Row } from '../report.ts';
import { sender } from './capacity.ts';
import { startSecond } from './second-site.ts';
import type { LauncherRequest } from './traffic.ts';

const mb = 1e6;
const rounds = 3;
/** More different answers than there is memory for. */
const addresses = 50;

/** How much more memory a site process takes after the same requests with ready answers than without any. */
export async function memoryOfAnswers(product: Product, requests: readonly LauncherRequest[]): Promise<Row> {
  const without = await memoryAfter(product, requests, { API_STORE_BYTES: '1' });
  const own = await memoryAfter(product, requests, {});
  return {
    ...atMost('memory of the ready answers of the API', (own - without) / mb, 40, 'MB'),
    baseline: `${(without / mb).toFixed(0)} MB without, ${(own / mb).toFixed(0)} MB with them`,
  };
}

async function memoryAfter(
  product: Product,
  requests: readonly LauncherRequest[],
  settings: Record<string, string>,
): Promise<number> {
  const site = await startSecond(product, settings);
  const { send, close } = sender(site.url);
  try {
    for (let round = 0; round < rounds; round++) {
      await inParallel(requests, send);
      await inParallel(distinct(requests), send);
    }
    return proportionalBytes(site.pid);
  } finally {
    await close();
    await site.stop();
  }
}

/** Each list of versions under many addresses. */
const distinct = (requests: readonly LauncherRequest[]): LauncherRequest[] =>
  [...new Set(requests.map(({ path }) => path).filter((path) => path.endsWith('/version')))].flatMap((path) =>
    Array.from({ length: addresses }, (_, limit) => ({ path: `${path}?limit=${limit + 1}` })),
  );

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await run(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
