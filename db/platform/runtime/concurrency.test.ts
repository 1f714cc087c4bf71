import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter, QueueFull } from './concurrency.ts';
import { onBehalfOf } from './requester.ts';

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

  it('lets work wait for as long as it takes where no end is set', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 5 });
    const first = held();
    const inside = limiter.run(first.work);
    const waiting = limiter.run(async () => 'in');
    await new Promise((done) => setTimeout(done, 20));
    expect(limiter.waiting).toBe(1);
    first.open();
    await inside;
    expect(await waiting).toBe('in');
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
    const enter = (client: string) => limiter.run(async () => void order.push(client), { client });
    const inside = limiter.run(first.work, { client: 'flood' });
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
    const limiter = new ConcurrencyLimiter({ max_running: 2, max_waiting: 8, timeout_ms: 10_000 });
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
    await expect.poll(() => started).toEqual([0, 1, 2]);
    for (const { open } of works) open();
    expect(await Promise.all(works.map(({ result }) => result))).toEqual([0, 1, 2, 3]);
  });

  it('leaves the last place to others: a client that fills the queue keeps nobody waiting', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 2, max_waiting: 40, timeout_ms: 10_000 });
    const works = [held(), held(), held()];
    const flood = works.map(({ work }) => limiter.run(work, { client: 'flood' }));
    expect(limiter.waiting).toBe(2);
    expect(await limiter.run(async () => 'at once', { client: 'one' })).toBe('at once');
    for (const { open } of works) open();
    await Promise.all(flood);
    expect(limiter.waiting).toBe(0);
  });

  it('drops what its client left, before it begins, and runs what others wait for', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 40, timeout_ms: 10_000 });
    const first = held();
    const begun: string[] = [];
    const inside = limiter.run(first.work);
    const leaving = new AbortController();
    const who = { network: '192.0.2.7', left: () => leaving.signal };
    const dropped = [0, 1, 2].map(() =>
      onBehalfOf(who, () => limiter.run(async () => begun.push('dropped'))),
    );
    const other = limiter.run(async () => begun.push('other'), { client: 'other' });
    leaving.abort();
    for (const one of dropped) await expect(one).rejects.toMatchObject({ code: 'busy' });
    await expect(onBehalfOf(who, () => limiter.run(async () => begun.push('late')))).rejects.toBeInstanceOf(
      QueueFull,
    );
    first.open();
    await Promise.all([inside, other]);
    expect(begun).toEqual(['other']);
    expect(limiter.waiting).toBe(0);
  });

  it('gives networks turns, and one with many accounts at most half of the queue', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 8, timeout_ms: 10_000 });
    const first = held();
    const inside = limiter.run(first.work);
    const order: string[] = [];
    const asked = (network: string, user_id: string) =>
      onBehalfOf({ network, user_id }, () => limiter.run(async () => void order.push(user_id)));
    const crowd = ['a', 'b', 'c', 'd'].map((user_id) => asked('crowd', user_id));
    await expect(asked('crowd', 'e')).rejects.toMatchObject({ code: 'busy' });
    const other = asked('elsewhere', 'other');
    first.open();
    await Promise.all([inside, ...crowd, other]);
    expect(order).toEqual(['a', 'other', 'b', 'c', 'd']);
    expect(limiter.waiting).toBe(0);
  });

  it('tells people apart by account, wherever they come from, else by network', async () => {
    const limiter = new ConcurrencyLimiter({ max_running: 1, max_waiting: 8, timeout_ms: 10_000 });
    const first = held();
    const inside = limiter.run(first.work);
    const asked = (network: string, user_id?: string) =>
      onBehalfOf({ network, ...(user_id && { user_id }) }, () => limiter.run(async () => 'in'));
    const waiting = [asked('a', 'flood'), asked('b', 'flood')];
    await expect(asked('c', 'flood')).rejects.toMatchObject({ code: 'busy' });
    waiting.push(asked('c'));
    first.open();
    expect(await Promise.all([inside.then(() => 'in'), ...waiting])).toEqual(['in', 'in', 'in', 'in']);
  });
});
