import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $loading, wait } from './loading.store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what comes within 50 ms shows no bar', () => {
  const there = wait();
  vi.advanceTimersByTime(49);
  there();
  vi.advanceTimersByTime(1000);
  expect($loading.get()).toBe(false);
});

test('the bar shows until the last thing is there, however often one says so', () => {
  const one = wait();
  vi.advanceTimersByTime(30);
  const other = wait();
  vi.advanceTimersByTime(20);
  expect($loading.get()).toBe(true);
  one();
  one();
  expect($loading.get()).toBe(true);
  other();
  expect($loading.get()).toBe(false);
});
