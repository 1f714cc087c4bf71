import { expect, test } from 'vitest';
import { isDownloadable, whyNotExport } from './rules.ts';

const now = new Date('2026-11-22T12:00:00Z');
const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const past = (state: 'waiting' | 'running' | 'done' | 'failed' | 'streamed', hours: number) => ({
  state,
  created: before(hours),
});

test.each([
  [[], null],
  [[past('waiting', 0.1)], 'export_running'],
  [[past('running', 0.9)], 'export_running'],
  [[past('running', 1.1)], null],
  [[past('done', 1), past('streamed', 2)], null],
  [[past('done', 1), past('streamed', 2), past('done', 3)], 'exports_too_many'],
  [[past('done', 1), past('failed', 2), past('done', 3)], null],
  [[past('done', 1), past('done', 2), past('done', 25)], null],
] as const)('after %j another one is refused by %s', (exports, code) => {
  expect(whyNotExport(exports, now)).toBe(code);
});

test('a file is there for seven days', () => {
  expect(isDownloadable(past('done', 167), now)).toBe(true);
  expect(isDownloadable(past('done', 169), now)).toBe(false);
  expect(isDownloadable(past('running', 1), now)).toBe(false);
});
