import { expect, it } from 'vitest';
import { createRegistry } from '#db/platform/runtime/metrics.ts';
import { facts } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { rentServer, testControlPlane } from '../testing/plane.ts';
import { registerMetrics } from './metrics.ts';

const database = testDatabase();
const plane = testControlPlane(database);

it('shows the delay of the event loop of each connected agent, as its last heartbeat told it', async () => {
  const registry = createRegistry('sample');
  registerMetrics(registry, plane.plane);
  const { runner, node } = await rentServer(database.sql, plane.url);
  const event_loop = { p50_ms: 10.2, p99_ms: 320, max_ms: 1_500 };
  expect(await runner.request('heartbeat', { docker: 'up', facts, ports_used: [], event_loop })).toEqual({
    ok: true,
  });
  const text = await registry.metrics();
  const labels = `{node="${node.id}",process="sample"}`;
  expect(text).toContain(`agent_event_loop_p99_seconds${labels} 0.32\n`);
  expect(text).toContain(`agent_event_loop_max_seconds${labels} 1.5\n`);
  runner.close();
  await expect
    .poll(async () => await registry.metrics())
    .not.toContain(`agent_event_loop_max_seconds${labels}`);
});
