import { beforeEach, expect, test, vi } from 'vitest';
import { keepFollowWish, takeFollowWish } from './follow-wish.ts';

const kept = new Map<string, string>();
vi.stubGlobal('sessionStorage', {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, text: string) => kept.set(name, text),
  removeItem: (name: string) => kept.delete(name),
});
beforeEach(() => {
  kept.clear();
  vi.useRealTimers();
});

test('a wish is taken once, and only by its project', () => {
  keepFollowWish('AABBCCDD');
  expect(takeFollowWish('AABBCCDD')).toBe(true);
  expect(takeFollowWish('AABBCCDD')).toBe(false);
  keepFollowWish('AABBCCDD');
  expect(takeFollowWish('EEFFGGHH')).toBe(false);
  expect(takeFollowWish('AABBCCDD')).toBe(false);
});

test('an old wish and invalid text are none', () => {
  vi.useFakeTimers();
  keepFollowWish('AABBCCDD');
  vi.advanceTimersByTime(31 * 60_000);
  expect(takeFollowWish('AABBCCDD')).toBe(false);
  for (const text of ['', 'null', '{', '{"id":"AABBCCDD"}', '[]']) {
    kept.set('follow', text);
    expect(takeFollowWish('AABBCCDD')).toBe(false);
  }
});
