import { measureCrowd } from './planes/latency.ts';
import { openGround } from './planes/ground.ts';
import type { Row } from './report.ts';

/**
 * Two control planes as processes, with an agent that prints what it is told: many viewers of one plane, viewers of the plane
 * that has not the agent, a burst to viewers of both, and what a second plane costs. About two minutes. Adds to `rows`.
 */
export async function measurePlanes(rows: Row[]): Promise<void> {
  const ground = await openGround(3);
  try {
    rows.push(await measureCrowd(ground));
  } finally {
    await ground.end();
  }
}
