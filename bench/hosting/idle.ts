import { setTimeout } from 'node:timers/promises';
import type { Plane } from '../../bin/cairn/plane.ts';
import type { Product } from '../product.ts';
import { atMost, type Row } from '../report.ts';
import { cpuSeconds } from '../search/cpu.ts';
import { agentPid, allRun, started } from './ground.ts';

const settle_ms = 20_000;
const watch_ms = 60_000;

/** What the agent costs while it carries servers on which nobody plays and at which nobody looks. */
export async function measureIdle(product: Product, owner: Plane, has: string): Promise<Row> {
  const count = Number(process.env.BENCH_SERVERS ?? 50);
  const ids = [has];
  for (let number = 2; number <= count; number++) ids.push(await started(owner, `Idle ${number}`));
  await allRun(owner, ids, 900_000);
  await setTimeout(settle_ms);
  const pid = agentPid(product);
  const used = () => cpuSeconds([pid]) - cpuSeconds([]);
  const before = used();
  const began = performance.now();
  await setTimeout(watch_ms);
  const share = ((used() - before) / ((performance.now() - began) / 1000)) * 100;
  return atMost(`agent with ${count} idle servers`, share, 3, '% of a core');
}
