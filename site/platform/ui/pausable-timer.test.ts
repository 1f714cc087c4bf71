import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pausableTimer } from './pausable-timer.ts';

const ended = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  ended.mockClear();
});
afterEach(() => void vi.useRealTimers());

test('ends after its time', () => {
  pausableTimer(30_000, ended);
  vi.advanceTimersByTime(29_999);
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('pauses under the pointer and with focus, until both are gone', () => {
  const one = pausableTimer(30_000, ended);
  vi.advanceTimersByTime(20_000);
  one.pause('pointer');
  vi.advanceTimersByTime(60_000);
  one.pause('focus');
  one.resume('pointer');
  vi.advanceTimersByTime(60_000);
  expect(ended).not.toHaveBeenCalled();
  one.resume('focus');
  vi.advanceTimersByTime(9_999);
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('restart begins the whole time again, also while paused', () => {
  const one = pausableTimer(30_000, ended);
  vi.advanceTimersByTime(20_000);
  one.restart();
  vi.advanceTimersByTime(20_000);
  one.pause('pointer');
  one.restart();
  vi.advanceTimersByTime(60_000);
  one.resume('pointer');
  vi.advanceTimersByTime(29_999);
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('a stopped timer does not end a second time, whoever resumes it', () => {
  const one = pausableTimer(30_000, ended);
  one.pause('pointer');
  one.stop();
  one.resume('pointer');
  vi.advanceTimersByTime(120_000);
  expect(ended).not.toHaveBeenCalled();
});
