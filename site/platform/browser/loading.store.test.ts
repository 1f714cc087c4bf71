import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $loading, wait } from './loading.store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a response within 50 ms shows no loading bar', () => {
  const there = wait();
  vi.advanceTimersByTime(49);
  there();
  vi.advanceTimersByTime(1000);
  expect($loading.get()).toBe(false);
});

test('the bar is visible until the last request ends, however often it is reported', () => {
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
