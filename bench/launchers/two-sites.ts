import { openLoop } from '../open-loop.ts';
import { childrenOf, type Product } from '../product.ts';
import { type Row, ratioAtLeast } from '../report.ts';
import { childrenOf as childProcesses, cpuSeconds } from '../search/cpu.ts';
import { sender } from './capacity.ts';
import { startSecond } from './second-site.ts';
import type { LauncherRequest } from './traffic.ts';

const per_second = 400;
const seconds = 15;

/**
 * How far two site processes carry more than one. On a machine whose cores the load shares, throughput cannot show it,
 * so it follows from what a request costs: processor time of the site processes and of Postgres, without that of the
 * load. Two processes carry twice as much if a request costs no more with them.
 */
export async function costOfTwoSites(product: Product, requests: readonly LauncherRequest[]): Promise<Row> {
  const one = await costOf([product.url], pidsOf(product), requests);
  const second = await startSecond(product);
  try {
    const two = await costOf([product.url, second.url], [...pidsOf(product), second.pid], requests);
    return ratioAtLeast(1.7, {
      name: 'two site processes to one, by processor time of a request',
      ratio: (2 * one) / two,
      ours: `${(two * 1000).toFixed(2)} ms each`,
      baseline: `${(one * 1000).toFixed(2)} ms each`,
    });
  } finally {
    await second.stop();
  }
}

/** The site process and everything of Postgres. */
function pidsOf(product: Product): number[] {
  const named = childrenOf(product).filter(({ name }) => /site|postgres/.test(name));
  const own = named.map(({ pid }) => pid);
  return [...own, ...own.flatMap(childProcesses)];
}

/** Processor seconds of one request, warm, at a rate that one process carries. */
async function costOf(
  urls: readonly string[],
  pids: readonly number[],
  requests: readonly LauncherRequest[],
): Promise<number> {
  const senders = urls.map(sender);
  let sent = 0;
  const send = (request: LauncherRequest) => senders[sent++ % senders.length]!.send(request);
  for (const to of senders) for (const request of requests) await to.send(request);
  const used = () => cpuSeconds(pids) - cpuSeconds([]);
  const before = used();
  const { questions, failed } = await openLoop(send, requests, { per_second, least_s: seconds });
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const cost = (used() - before) / questions;
  await Promise.all(senders.map(({ close }) => close()));
  return cost;
}
