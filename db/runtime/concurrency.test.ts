import { describe, expect, it } from 'vitest';
import { Gate } from './concurrency.ts';

const held = () => {
  let open = () => {};
  const work = new Promise<void>((done) => {
    open = done;
  });
  return { work: () => work, open: () => open() };
};

describe('concurrency limit with a queue', () => {
  it('runs up to the limit at once and the others in order of arrival', async () => {
    const gate = new Gate({ running: 1, waiting: 8, timeout_ms: 10_000 });
    const first = held();
    const order: number[] = [];
    const all = [
      gate.run(first.work),
      gate.run(async () => order.push(2)),
      gate.run(async () => order.push(3)),
    ];
    first.open();
    await Promise.all(all);
    expect(order).toEqual([2, 3]);
  });

  it('rejects work when the queue is full', async () => {
    const gate = new Gate({ running: 1, waiting: 1, timeout_ms: 10_000 });
    const first = held();
    const inside = gate.run(first.work);
    const waiting = gate.run(async () => 'in');
    await expect(gate.run(async () => 'never')).rejects.toMatchObject({ code: 'busy', status: 503 });
    first.open();
    await inside;
    expect(await waiting).toBe('in');
  });

  it('rejects work that waited too long, and still runs the next', async () => {
    const gate = new Gate({ running: 1, waiting: 5, timeout_ms: 20 });
    const first = held();
    const inside = gate.run(first.work);
    await expect(gate.run(async () => 'never')).rejects.toMatchObject({ code: 'busy' });
    first.open();
    await inside;
    expect(await gate.run(async () => 'in')).toBe('in');
  });

  it('keeps working after work fails', async () => {
    const gate = new Gate({ running: 1, waiting: 1, timeout_ms: 1_000 });
    await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await gate.run(async () => 'in')).toBe('in');
  });

  it('schedules clients round robin, and gives each at most a quarter of the queue', async () => {
    const gate = new Gate({ running: 1, waiting: 12, timeout_ms: 10_000 });
    const first = held();
    const order: string[] = [];
    const enter = (client: string) => gate.run(async () => void order.push(client), client);
    const inside = gate.run(first.work, 'flood');
    const flood = [enter('flood'), enter('flood'), enter('flood')];
    await expect(enter('flood')).rejects.toMatchObject({ code: 'busy' });
    const others = [enter('one'), enter('two')];
    expect(gate.waiting).toBe(5);
    first.open();
    await Promise.all([inside, ...flood, ...others]);
    expect(order).toEqual(['flood', 'one', 'two', 'flood', 'flood']);
    expect(gate.waiting).toBe(0);
  });
});
