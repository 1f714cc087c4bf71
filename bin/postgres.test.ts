import { describe, expect, it, vi } from 'vitest';
import type { EmbeddedPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { keepPostgres } from './postgres.ts';
import { UserError } from './user-error.ts';

/** Servers that exit at once, or fail to start, from the second on. */
function endingServers(fails: boolean) {
  let starts = 0;
  const start = async (): Promise<EmbeddedPostgres> => {
    starts += 1;
    if (fails && starts > 1) throw new Error('No space left on device');
    const ended = Promise.resolve();
    return { address: '', folder: '', pid: 0, ended, stop: async () => {} };
  };
  return {
    starting: { start, pauseAfter: () => 0, isDiskFull: () => false },
    starts: () => starts,
  };
}

describe('keepPostgres', () => {
  it.each([false, true])('restarts forever in production (starts fail: %s)', async (fails) => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { starting, starts } = endingServers(fails);
    const house: Array<() => unknown> = [];
    await keepPostgres('', house, null, starting);
    await vi.waitFor(() => expect(starts()).toBeGreaterThan(8));
    await house[0]!();
    silent.mockRestore();
  });

  it('gives up after three exits in a row where it may', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const lost = vi.fn();
    const { starting, starts } = endingServers(false);
    await keepPostgres('', [], lost, starting);
    await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce());
    expect(starts()).toBe(4);
    silent.mockRestore();
  });

  it('does not count exits while the disk is full, and counts them again afterwards', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const lost = vi.fn();
    const { starting, starts } = endingServers(true);
    let full = true;
    await keepPostgres('', [], lost, { ...starting, isDiskFull: () => full });
    await vi.waitFor(() => expect(starts()).toBeGreaterThan(8));
    expect(lost).not.toHaveBeenCalled();
    full = false;
    await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce());
    silent.mockRestore();
  });

  it('ends the start with one line when the first server cannot be started', async () => {
    const start = () => Promise.reject(new Error('No space left on device'));
    const failed = keepPostgres('', [], null, {
      start,
      pauseAfter: () => 0,
      isDiskFull: () => false,
    });
    await expect(failed).rejects.toThrow(new UserError('No space left on device'));
  });
});
