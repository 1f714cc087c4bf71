import { expect, test } from 'vitest';
import { withChildTime } from './child-time.ts';
import { run } from './run.ts';

test('the processor time of a program counts for the work that ran it, also beside other work', async () => {
  // takes what children of other tests in this process have used
  await run('true', [], { quiet: true });
  const busy = 'while (process.cpuUsage().user < 300_000);';
  const [idle, working] = await Promise.all([
    withChildTime(() => run('sleep', ['0.1'], { quiet: true })),
    withChildTime(() => run(process.execPath, ['-e', busy], { quiet: true })),
  ]);
  expect(idle.answer.code).toBe(0);
  expect(working.cpu_seconds).toBeGreaterThan(0.2);
  expect(idle.cpu_seconds).toBeLessThan(working.cpu_seconds);
});
