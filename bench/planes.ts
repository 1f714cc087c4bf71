import { proportionalBytes, rssOf } from '../bin/process-memory.ts';
import { openInstallation } from './planes/installation.ts';
import { measureCrowd, measureElsewhere } from './planes/latency.ts';
import { measureSpreadBurst } from './planes/spread-burst.ts';
import { atMost, informational, type Row } from './report.ts';

/**
 * Two control planes as processes, with an agent that prints what it is told: many viewers of one plane, viewers of the plane
 * that has not the agent, a burst to viewers of both, and what a second plane costs. Two minutes. BENCH_NODE_ARGS are given
 * to the planes, such as `--cpu-prof`. Adds to `rows`.
 */
export async function measurePlanes(rows: Row[]): Promise<void> {
  const installation = await openInstallation(3);
  const memoryOf = (plane: number) => {
    const { pid } = installation.planes[plane]!.child;
    return { mb: proportionalBytes(pid!) / 1e6, rss: `RSS ${(rssOf(pid!) / 1e6).toFixed(0)} MB` };
  };
  try {
    const idle = memoryOf(1);
    rows.push(...(await measureElsewhere(installation)));
    rows.push(...(await measureSpreadBurst(installation)));
    const used = memoryOf(1);
    rows.push({
      ...atMost('memory of a second control plane after the burst', used.mb, 150, 'MB'),
      baseline: `${used.rss}; idle ${idle.mb.toFixed(0)} MB, ${idle.rss}`,
    });
    rows.push(...(await measureCrowd(installation)));
    const { mb, rss } = memoryOf(0);
    rows.push(informational('memory of the first one after 500 viewers', `${mb.toFixed(0)} MB`, rss));
  } finally {
    await installation.end();
  }
}
