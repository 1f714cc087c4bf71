import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions } from '../game-releases/rules.ts';
import { mavenRange, predicateRange, type VersionRange, versionsIn } from './game-version-ranges.ts';

const known = ['26.1', '1.21.1', '1.21', '1.20.6', '1.20.1', '1.20', '1.19.4'].map((version) => ({
  version,
  version_type: 'release',
}));
const inside = (range: VersionRange | null): string | null => range && versionsIn([range], known).join(' ');

test.each([
  ['1.20', '1.20'],
  ['=1.20.1', '1.20.1'],
  ['>=1.20.1', '26.1 1.21.1 1.21 1.20.6 1.20.1'],
  ['>1.20.1 <=1.21', '1.21 1.20.6'],
  ['>= 1.20.1 < 1.21-', '1.20.6 1.20.1'],
  ['>=1.20-', '26.1 1.21.1 1.21 1.20.6 1.20.1 1.20'],
  ['~1.20.1', '1.20.6 1.20.1'],
  ['~1.20', '1.20.6 1.20.1 1.20'],
  ['^1.20.1', '1.21.1 1.21 1.20.6 1.20.1'],
  ['1.20.x', '1.20.6 1.20.1 1.20'],
  ['1.20.*', '1.20.6 1.20.1 1.20'],
  ['1.19.4 || 1.21.x', '1.21.1 1.21 1.19.4'],
  ['*', ''],
])('the predicate %s', (text, expected) => {
  expect(inside(predicateRange(text))).toBe(expected);
});

test.each([
  ['[1.20.1]', '1.20.1'],
  ['[1.20,1.21)', '1.20.6 1.20.1 1.20'],
  ['(1.20,1.21]', '1.21 1.20.6 1.20.1'],
  ['[1.21,)', '26.1 1.21.1 1.21'],
  ['(,1.20]', '1.20 1.19.4'],
  ['[1.19.4],[1.21,1.21.1]', '1.21.1 1.21 1.19.4'],
  ['1.20.1', '1.20.1'],
  ['(,)', ''],
])('the range %s', (text, expected) => {
  expect(inside(mavenRange(text))).toBe(expected);
});

test.each(['>=', '~x', '>>1', '<>1', '[', 'a'.repeat(300), '^^1', '1.20|1.21'])(
  '%s is no predicate',
  (text) => {
    expect(inside(predicateRange(text)) || null).toBeNull();
  },
);
test.each(['', '[', '[1', '(1.20)', '[1,2,3]', ']1[', '[1,2'])('%s is no range', (text) => {
  expect(mavenRange(text)).toBeNull();
});

describe('the order of versions', () => {
  const version = fc
    .tuple(
      fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
      fc.option(fc.constantFrom('rc1', 'rc.1', 'pre2', 'alpha', '')),
    )
    .map(([numbers, rest]) => numbers.join('.') + (rest === null ? '' : `-${rest}`));

  test('is antisymmetric and transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0);
        const [x, y, z] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(x, y) <= 0 && compareVersions(y, z) <= 0 && compareVersions(x, z) <= 0).toBe(
          true,
        );
      }),
    );
  });
  test('has pre-releases before their release', () => {
    const order = ['1.20-pre1', '1.20-pre2', '1.20-rc1', '1.20', '1.20.1-rc1', '1.20.1'];
    expect([...order].reverse().sort(compareVersions)).toEqual(order);
  });
});

test('texts of any kind end soon and never throw', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => {
      for (const range of [predicateRange(text), mavenRange(text)]) if (range) versionsIn([range], known);
    }),
  );
});
