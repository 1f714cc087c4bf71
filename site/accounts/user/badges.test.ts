import { expect, test } from 'vitest';
import { badgeLabels, badgesOf } from './badges.ts';

type Given = Partial<Parameters<typeof badgesOf>[0]> & { downloads?: number };
const of = ({ downloads = 0, ...given }: Given) =>
  badgesOf({ role: 'developer', badges: 0, created: '2026-01-01T00:00:00Z', ...given }, downloads);

test.each<[Given, string[]]>([
  [{}, []],
  [{ role: 'admin' }, ['staff']],
  [{ role: 'moderator' }, ['moderator']],
  [{ downloads: 10_000_000 }, ['club']],
  [{ downloads: 9_999_999 }, []],
  [{ badges: 1 }, ['plus']],
  [{ badges: 2 }, ['early']],
  [{ badges: 4 }, ['early']],
  [{ badges: 8 }, ['early']],
  [{ badges: 14 }, ['early']],
  [{ badges: 16 }, ['alpha']],
  [{ badges: 32 | 64 | 128 }, []],
  [{ created: '2020-11-29T23:59:59Z' }, ['alpha']],
  [{ created: '2020-11-30T00:00:00Z' }, ['beta']],
  [{ created: '2022-02-26T23:59:59Z' }, ['beta']],
  [{ created: '2022-02-27T00:00:00Z' }, []],
  [{ created: '2021-06-01T00:00:00Z', badges: 16 }, ['alpha']],
])('%j has the badges %j', (given, requested) => {
  expect(of(given)).toEqual(requested);
});

test('badges have a fixed order', () => {
  const all = of({ role: 'admin', badges: 31, downloads: 1e9, created: '2021-01-01T00:00:00Z' });
  expect(all).toEqual(['staff', 'plus', 'club', 'early', 'alpha']);
  expect(Object.keys(badgeLabels)).toEqual([
    ...['staff', 'moderator', 'plus', 'club', 'early', 'alpha', 'beta'],
  ]);
});
