import { describe, expect, it } from 'vitest';
import { retry } from './retry.ts';

const { signal } = new AbortController();

describe('a retry', () => {
  it('gives the result of the first successful attempt and reports the failures', async () => {
    const failures: Array<[string, number]> = [];
    const work = async (attempt: number) => {
      if (attempt < 3) throw new TypeError(`not ${attempt}`);
      return attempt;
    };
    const onFailure = (error: Error, count: number) => failures.push([error.message, count]);
    expect(await retry(work, { signal, min_ms: 1, onFailure })).toBe(3);
    expect(failures).toEqual([
      ['not 1', 1],
      ['not 2', 2],
    ]);
  });

  it('throws the last error after the maximum number of failures', async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw new Error(`failure ${attempts}`);
    };
    await expect(retry(work, { signal, min_ms: 1, max_failures: 2 })).rejects.toThrow('failure 2');
    expect(attempts).toBe(2);
  });

  it('throws an error at once that is not retryable', async () => {
    const passing = new Error('passing');
    const failures = [passing, new Error('final'), passing];
    let attempts = 0;
    const work = () => Promise.reject(failures[attempts++]);
    const isRetryable = (error: Error) => error === passing;
    await expect(retry(work, { min_ms: 1, isRetryable })).rejects.toThrow('final');
    expect(attempts).toBe(2);
  });

  it('stops at once when it is aborted, also during a pause', async () => {
    const closing = new AbortController();
    const running = retry(() => Promise.reject(new Error('never')), {
      signal: closing.signal,
      min_ms: 60_000,
      onFailure: () => setImmediate(() => closing.abort(new Error('closing'))),
    });
    await expect(running).rejects.toThrow('closing');
  });
});
