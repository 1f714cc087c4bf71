import { expect, test } from 'vitest';
import { badgesOf } from './badges.ts';

const of = (created: string, downloads = 0, role: 'developer' | 'moderator' | 'admin' = 'developer') =>
  badgesOf({ role, created }, downloads);

test('people of the house are known by it', () => {
  expect(of('2026-01-01T00:00:00Z', 0, 'admin')).toEqual(['staff']);
  expect(of('2026-01-01T00:00:00Z', 0, 'moderator')).toEqual(['moderator']);
  expect(of('2026-01-01T00:00:00Z')).toEqual([]);
});

test('ten million downloads are a club, one less is not', () => {
  expect(of('2026-01-01T00:00:00Z', 10_000_000)).toEqual(['club']);
  expect(of('2026-01-01T00:00:00Z', 9_999_999)).toEqual([]);
});

test('who came early tested the alpha or the beta', () => {
  expect(of('2020-11-29T23:59:59Z')).toEqual(['alpha']);
  expect(of('2020-11-30T00:00:00Z')).toEqual(['beta']);
  expect(of('2022-02-26T23:59:59Z')).toEqual(['beta']);
  expect(of('2022-02-27T00:00:00Z')).toEqual([]);
});
