import { describe, expect, it, vi } from 'vitest';
import { keep } from './child.ts';
import { startOf } from './lock.mjs';

/** A plan that runs a script and notes what happens to it. */
function planned(script: string) {
  const pids: number[] = [];
  const gaveUp = vi.fn();
  const child = keep({
    name: 'test',
    args: ['-e', script],
    env: {},
    started: (pid) => pids.push(pid),
    gaveUp,
  });
  return { child, pids, gaveUp };
}

describe('keep', () => {
  it('starts a process again that ended, and gives up in the end', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { pids, gaveUp } = planned('process.exit(3)');
    await vi.waitFor(() => expect(gaveUp).toHaveBeenCalledOnce(), 15_000);
    expect(pids).toHaveLength(5);
    expect(silent.mock.calls.flat().at(-1)).toContain('ended with code 3 for the 5th time: giving up');
    silent.mockRestore();
  });

  it('starts a process anew when asked, without calling it a crash', async () => {
    const { child, pids, gaveUp } = planned('setInterval(() => {}, 1000)');
    child.restart();
    await vi.waitFor(() => expect(pids).toHaveLength(2), 5_000);
    await child.stop(1_000);
    expect(gaveUp).not.toHaveBeenCalled();
    expect(pids.map(startOf)).toEqual([null, null]);
  });

  it('kills what does not end in time, with everything it started', async () => {
    const script = `process.on('SIGTERM', () => {}); process.send('up');
      require('node:child_process').spawn('sleep', ['60']); setInterval(() => {}, 1000)`;
    const { child, pids } = planned(script);
    await vi.waitFor(() => expect(startOf(pids[0]!)).not.toBeNull(), { timeout: 10_000 });
    await child.stop(300);
    expect(startOf(pids[0]!)).toBeNull();
  });
});
