import { setTimeout } from 'node:timers/promises';
import type { ControlClient } from '../../bin/cairn/control-client.ts';
import type { Product } from '../product.ts';
import { atMost, type Row } from '../report.ts';
import { cpuSeconds } from '../search/cpu.ts';
import { agentPid, startServer, waitUntilRunning } from './fixtures.ts';

const settle_ms = 20_000;
const watch_ms = 60_000;

/** Cost of the agent with idle servers: no players and no viewers. */
export async function measureIdle(product: Product, owner: ControlClient, has: string): Promise<Row> {
  const count = Number(process.env.BENCH_SERVERS ?? 50);
  const ids = [has];
  for (let number = 2; number <= count; number++) ids.push(await startServer(owner, `Idle ${number}`));
  await waitUntilRunning(owner, ids, 900_000);
  await setTimeout(settle_ms);
  const pid = agentPid(product);
  const used = () => cpuSeconds([pid]) - cpuSeconds([]);
  const before = used();
  const began = performance.now();
  await setTimeout(watch_ms);
  const share = ((used() - before) / ((performance.now() - began) / 1000)) * 100;
  return atMost(`agent with ${count} idle servers`, share, 3, '% of a core');
}
