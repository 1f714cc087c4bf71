import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { LoopDelay } from './event-loop.ts';

/** In a process of its own, since blocking is what it does. */
async function blocked(
  ms: number,
): Promise<{ delay: LoopDelay; after: LoopDelay; lines: object[]; metrics: string }> {
  const script = `
    import { watchEventLoop } from ${JSON.stringify(new URL('./event-loop.ts', import.meta.url).href)};
    import { createRegistry } from ${JSON.stringify(new URL('./metrics.ts', import.meta.url).href)};
    import { setTimeout } from 'node:timers/promises';
    const lines = [];
    const registry = createRegistry('sample');
    const watch = watchEventLoop({ warn: (fields, text) => lines.push({ ...fields, text }) }, { check_ms: 50 });
    await setTimeout(50);
    for (let round = 0; round < 2; round += 1) {
      const end = performance.now() + ${ms};
      while (performance.now() < end);
      await setTimeout(150);
    }
    const metrics = await registry.metrics();
    const delay = await watch.take();
    await setTimeout(200);
    console.log(JSON.stringify({ delay, after: await watch.take(), lines, metrics }));
    watch.close();
  `;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

it('shows how long the event loop was blocked, in the figures and in /metrics', async () => {
  const { delay, metrics, lines } = await blocked(400);
  expect(delay.max_ms).toBeGreaterThanOrEqual(390);
  expect(delay.p99_ms).toBeGreaterThanOrEqual(390);
  expect(delay.p50_ms).toBeLessThan(delay.p99_ms);
  const [, worst] = /^nodejs_eventloop_lag_max_seconds\{process="sample"\} (\S+)$/m.exec(metrics) ?? [];
  expect(Number(worst)).toBeGreaterThanOrEqual(0.39);
  expect(lines).toEqual([]);
});

it('writes one line for delays over a second, without saying whose work it was', async () => {
  const { delay, after, lines } = await blocked(1_100);
  expect(lines).toEqual([{ delay_ms: expect.any(Number), text: 'The event loop was blocked' }]);
  expect((lines[0] as { delay_ms: number }).delay_ms).toBeGreaterThanOrEqual(1_090);
  expect(delay.max_ms).toBeGreaterThanOrEqual(1_090);
  expect(after.max_ms).toBeLessThan(delay.max_ms);
});
