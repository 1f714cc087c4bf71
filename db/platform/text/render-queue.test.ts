import { expect, test } from 'vitest';
import { createRenderQueue } from './render-queue.ts';

const refused = (code: string) => expect.objectContaining({ code });

/** Work that ends when the test says so, and a log of the start order. */
function workshop() {
  const begun: string[] = [];
  const waiting = new Map<string, () => void>();
  const work =
    (name: string, worked_ms = 0) =>
    async () => {
      begun.push(name);
      await new Promise<void>((resolve) => waiting.set(name, resolve));
      return { value: name, worked_ms };
    };
  return {
    begun,
    work,
    begins: async (name: string) => await expect.poll(() => begun).toContain(name),
    end: (name: string) => waiting.get(name)!(),
  };
}
const done = async () => ({ value: 'done', worked_ms: 0 });

test('runs one text of an account at a time, so that other accounts get their turn', async () => {
  const { begun, work, begins, end } = workshop();
  const queue = createRenderQueue(2);
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run({ account: 'a' }, work(name)));
  await begins('a1');
  const other = queue.run({ account: 'b' }, work('b1'));
  await begins('b1');
  expect(begun).toEqual(['a1', 'b1']);
  end('b1');
  expect(await other).toBe('b1');
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    await begins(name);
    end(name);
  }
  expect(await Promise.all(many)).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('limits an account to twenty seconds of work per minute; a third of it is available again after 20 s', async () => {
  let now = 0;
  const queue = createRenderQueue(2, () => now);
  const use = (worked_ms: number) => queue.run({ account: 'a' }, async () => ({ value: 1, worked_ms }));
  for (let turn = 0; turn < 10; turn++) await use(2000);
  await expect(use(1)).rejects.toEqual(refused('rate_limited'));
  expect(await queue.run({ account: 'b' }, done)).toBe('done');
  expect(await queue.run({}, done)).toBe('done');
  now += 20_000;
  for (let turn = 0; turn < 4; turn++) await use(2000);
  await expect(use(1)).rejects.toEqual(refused('rate_limited'));
});

test('skips a text whose client disconnected, and drops its result', async () => {
  const { begun, work, begins, end } = workshop();
  const queue = createRenderQueue(1);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = queue.run({ account: 'a', signal: running.signal }, work('first'));
  const second = queue.run({ account: 'b', signal: waiting.signal }, work('second'));
  await begins('first');
  waiting.abort();
  await expect(second).rejects.toEqual(refused('upload_incomplete'));
  running.abort();
  end('first');
  await expect(first).rejects.toEqual(refused('upload_incomplete'));
  expect(await queue.run({ account: 'b' }, done)).toBe('done');
  expect(begun).toEqual(['first']);
});

test('limits the queue to 50 texts of an account and 500 in total', async () => {
  const { work, begins, end } = workshop();
  const queue = createRenderQueue(1);
  const first = queue.run({ account: 'a' }, work('first'));
  await begins('first');
  const waiting = Array.from({ length: 50 }, () => queue.run({ account: 'a' }, done));
  await expect(queue.run({ account: 'a' }, done)).rejects.toEqual(refused('too_fast'));
  for (let position = 0; position < 449; position++)
    waiting.push(queue.run({ account: `p${position}` }, done));
  await expect(queue.run({ account: 'late' }, done)).rejects.toEqual(refused('busy'));
  end('first');
  await Promise.all([first, ...waiting]);
});
