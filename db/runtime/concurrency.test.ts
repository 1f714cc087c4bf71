import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter, QueueFull } from './concurrency.ts';

const held = () => {
  let open = () => {};
  const work = new Promise<void>((done) => {
    open = done;
  });
  return { work: () => work, open: () => open() };
};

describe('concurrency limit with a queue', () => {
  it('runs up to the limit at once and the others in order of arrival', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 8, timeout_ms: 10_000 });
    const first = held();
    const order: number[] = [];
    const all = [
      limiter.run(first.work),
      limiter.run(async () => order.push(2)),
      limiter.run(async () => order.push(3)),
    ];
    first.open();
    await Promise.all(all);
    expect(order).toEqual([2, 3]);
  });

  it('rejects work when the queue is full', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 1, timeout_ms: 10_000 });
    const first = held();
    const inside = limiter.run(first.work);
    const waiting = limiter.run(async () => 'in');
    const refused = limiter.run(async () => 'never');
    await expect(refused).rejects.toBeInstanceOf(QueueFull);
    await expect(refused).rejects.toMatchObject({ code: 'busy', status: 503 });
    first.open();
    await inside;
    expect(await waiting).toBe('in');
  });

  it('rejects work that waited too long, and still runs the next', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 5, timeout_ms: 20 });
    const first = held();
    const inside = limiter.run(first.work);
    await expect(limiter.run(async () => 'never')).rejects.toMatchObject({ code: 'busy' });
    first.open();
    await inside;
    expect(await limiter.run(async () => 'in')).toBe('in');
  });

  it('keeps working after work fails', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 1, timeout_ms: 1_000 });
    await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limiter.run(async () => 'in')).toBe('in');
  });

  it('schedules clients round robin, and gives each at most a quarter of the queue', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 12, timeout_ms: 10_000 });
    const first = held();
    const order: string[] = [];
    const enter = (client: string) => limiter.run(async () => void order.push(client), client);
    const inside = limiter.run(first.work, 'flood');
    const flood = [enter('flood'), enter('flood'), enter('flood')];
    await expect(enter('flood')).rejects.toMatchObject({ code: 'busy' });
    const others = [enter('one'), enter('two')];
    expect(limiter.waiting).toBe(5);
    first.open();
    await Promise.all([inside, ...flood, ...others]);
    expect(order).toEqual(['flood', 'one', 'two', 'flood', 'flood']);
    expect(limiter.waiting).toBe(0);
  });

  it('starts as many at once as it may, and never more', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 2 });
    const started: number[] = [];
    const works = [0, 1, 2, 3].map((index) => {
      const work = held();
      const result = limiter.run(async () => {
        started.push(index);
        await work.work();
        return index;
      });
      return { ...work, result };
    });
    expect(started).toEqual([0, 1]);
    works[1]!.open();
    await works[1]!.result;
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of works) open();
    expect(await Promise.all(works.map(({ result }) => result))).toEqual([0, 1, 2, 3]);
  });
});
