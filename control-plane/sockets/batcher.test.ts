import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

describe('a batcher', () => {
  it('joins keys that are added during a batch, each once', async () => {
    const batches: string[][] = [];
    const gates: Array<() => void> = [];
    const desk = createBatcher(
      async (keys) => {
        batches.push(keys);
        await new Promise<void>((go) => gates.push(go));
      },
      () => {},
    );
    for (const key of ['a', 'b', 'b', 'c', 'b']) desk.add(key);
    await expect.poll(() => gates.length).toBe(1);
    gates[0]!();
    await expect.poll(() => gates.length).toBe(2);
    desk.add('a');
    gates[1]!();
    await expect.poll(() => gates.length).toBe(3);
    gates[2]!();
    await desk.idle();
    expect(batches).toEqual([['a'], ['b', 'c'], ['a']]);
  });

  it('retries a batch that failed', async () => {
    const tried: string[][] = [];
    const failures: unknown[] = [];
    const desk = createBatcher(
      async (keys) => {
        tried.push(keys);
        if (tried.length === 1) throw new Error('away');
      },
      (error) => failures.push(error),
      { retry_ms: 1 },
    );
    desk.add('a');
    await desk.idle();
    expect(tried).toEqual([['a'], ['a']]);
    expect(failures).toHaveLength(1);
  });
});
