import { expect, test } from 'vitest';
import { AnswerStore, type Stored } from './answer-store.ts';

const answer = (bytes = 500, tags = ['project:a']): Stored => ({ bytes, tags, until: 1000 });
const filled = (memory_bytes: number, count: number) => {
  const store = new AnswerStore<Stored>(memory_bytes);
  for (let n = 0; n < count; n++) store.save(`once ${n}`, answer());
  return store;
};

test('what was asked once pushes out nothing that was asked twice, however much it is', () => {
  const store = new AnswerStore<Stored>(100_000);
  for (const key of ['a', 'b']) {
    store.save(key, answer());
    expect(store.find(key, 0)).not.toBeNull();
  }
  for (let n = 0; n < 10_000; n++) store.save(`once ${n}`, answer());
  expect([store.find('a', 0), store.find('b', 0)]).not.toContain(null);
  expect(store.stats().bytes).toBeLessThanOrEqual(100_000);
  expect(store.find('once 0', 0)).toBeNull();
});

test('what was asked twice gives way to what is asked twice later, by way of the first segment', () => {
  const store = new AnswerStore<Stored>(40_000);
  for (let n = 0; n < 100; n++) {
    store.save(`${n}`, answer());
    store.find(`${n}`, 0);
  }
  expect(store.stats().bytes).toBeLessThanOrEqual(40_000);
  expect([store.find('0', 0), store.find('99', 0) === null]).toEqual([null, false]);
});

test('a tag drops its answers from both segments, and nothing of them remains', () => {
  const store = filled(100_000, 3);
  store.find('once 1', 0);
  store.save('other', answer(500, ['project:b']));
  store.dropTag('project:a');
  expect(store.stats().answers).toBe(1);
  store.dropTag('project:b');
  expect([store.stats(), store.tags()]).toEqual([{ answers: 0, bytes: 0 }, []]);
});

test('evicted answers leave no tags behind', () => {
  const store = new AnswerStore<Stored>(20_000);
  for (let n = 0; n < 500; n++) store.save(`${n}`, answer(500, [`project:${n}`]));
  expect(store.tags()).toHaveLength(store.stats().answers);
  store.save('long', answer(10_000, ['project:long']));
  expect(store.tags()).not.toContain('project:long');
});

test('expired answers are found only as saved copies', () => {
  const store = filled(100_000, 1);
  store.limitAge('project:a', 10);
  expect([store.find('once 0', 9) === null, store.find('once 0', 10)]).toEqual([false, null]);
  expect(store.findLast('once 0')).not.toBeNull();
});

test('a changed answer replaces only the one it was made from', () => {
  const store = filled(100_000, 1);
  const old = store.findLast('once 0')!;
  const zipped = { ...old, bytes: 900 };
  store.replace('once 0', old, zipped);
  expect(store.findLast('once 0')).toBe(zipped);
  store.replace('once 0', old, answer());
  expect(store.findLast('once 0')).toBe(zipped);
  store.dropTag('project:a');
  store.replace('once 0', zipped, answer());
  expect(store.findLast('once 0')).toBeNull();
});
