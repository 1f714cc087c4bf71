import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startOf } from './lock.mjs';
import { restartPause, supervise } from './supervise.ts';

/** A plan that runs a script, restarts it at once and records its events. */
function planned(script: string, { givesUp = true } = {}) {
  const pids: number[] = [];
  const gaveUp = vi.fn();
  const child = supervise({
    name: 'test',
    args: ['-e', script],
    env: {},
    onStarted: (pid) => pids.push(pid),
    givesUp: () => givesUp,
    onGaveUp: gaveUp,
    pauseAfter: () => 1,
  });
  return { child, pids, gaveUp };
}

describe('keep', () => {
  it('restarts a process that exited, and gives up in the end', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { pids, gaveUp } = planned('process.exit(3)');
    await vi.waitFor(() => expect(gaveUp).toHaveBeenCalledOnce(), 15_000);
    expect(pids).toHaveLength(5);
    expect(silent.mock.calls.flat().at(-1)).toContain('ended with code 3 for the 5th time: giving up');
    silent.mockRestore();
  });

  it('restarts forever where it must not give up', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { child, pids, gaveUp } = planned('process.exit(3)', { givesUp: false });
    await vi.waitFor(() => expect(pids.length).toBeGreaterThan(7), 25_000);
    await child.stop(1_000);
    expect(gaveUp).not.toHaveBeenCalled();
    silent.mockRestore();
  });

  it('waits longer after each crash, up to half a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000].map(restartPause)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('restarts a process on request without counting a crash', async () => {
    const { child, pids, gaveUp } = planned('setInterval(() => {}, 1000)');
    child.restart();
    await vi.waitFor(() => expect(pids).toHaveLength(2), 5_000);
    await child.stop(1_000);
    expect(gaveUp).not.toHaveBeenCalled();
    expect(pids.map(startOf)).toEqual([null, null]);
  });

  it('kills what does not end in time, with its process group', async () => {
    const up = join(mkdtempSync(join(tmpdir(), 'cairn-supervised-')), 'up');
    const script = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);
      const other = require('node:child_process').spawn('sleep', ['60']);
      require('node:fs').writeFileSync('${up}', String(other.pid))`;
    const { child, pids } = planned(script);
    await vi.waitFor(() => expect(Number(readFileSync(up, 'utf8'))).toBeGreaterThan(0));
    const other = Number(readFileSync(up, 'utf8'));
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    await child.stop(300);
    expect(said).toHaveBeenCalledExactlyOnceWith('The test did not end within 0.3 s and is killed.');
    said.mockRestore();
    await vi.waitFor(() => expect([pids[0]!, other].map(startOf)).toEqual([null, null]));
    rmSync(dirname(up), { recursive: true });
  });
});
