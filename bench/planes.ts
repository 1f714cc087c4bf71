import { openGround } from './planes/ground.ts';
import { measureCrowd, measureElsewhere } from './planes/latency.ts';
import { measureSpreadBurst } from './planes/spread-burst.ts';
import { atMost, informational, type Row } from './report.ts';
import { rssOf } from './rss.ts';

/**
 * Two control planes as processes, with an agent that prints what it is told: many viewers of one plane, viewers of the plane
 * that has not the agent, a burst to viewers of both, and what a second plane costs. About three minutes. Adds to `rows`.
 */
export async function measurePlanes(rows: Row[]): Promise<void> {
  const ground = await openGround(3);
  const mb = (plane: number) => rssOf(ground.planes[plane]!.child.pid!) / 1e6;
  try {
    const idle = mb(1);
    rows.push(...(await measureElsewhere(ground)));
    if (!process.env.X) rows.push(...(await measureSpreadBurst(ground)));
    rows.push(
      atMost('memory of a second control plane after the burst', mb(1), 150, 'MB'),
      informational('the same before any viewer', `${idle.toFixed(0)} MB`),
    );
    if (!process.env.X) rows.push(...(await measureCrowd(ground)));
    rows.push(informational('memory of the first one after 500 viewers', `${mb(0).toFixed(0)} MB`));
  } finally {
    await ground.end();
  }
}
