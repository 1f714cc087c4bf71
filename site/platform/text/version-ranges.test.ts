import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { versionRanges } from './version-ranges.ts';

const list = [
  '1.21',
  '24w02b',
  '24w02a',
  '1.20.4',
  '1.20.4-rc1',
  '1.20.3',
  '23w40a',
  '1.20.2',
  '1.20.1',
  '1.20',
  '1.19.4',
];
const all = list.map((version) => ({
  version,
  version_type: /^[\d.]+$/.test(version) ? 'release' : 'snapshot',
}));

test.each([
  [
    'neighbouring releases join across snapshots',
    ['1.20', '1.20.1', '1.20.2', '1.20.3', '1.20.4'],
    ['1.20–1.20.4'],
  ],
  ['a gap ends a range', ['1.20', '1.20.1', '1.20.3', '1.20.4'], ['1.20.3–1.20.4', '1.20–1.20.1']],
  ['one release stands alone', ['1.20.1'], ['1.20.1']],
  ['ranges reach over lines', ['1.19.4', '1.20', '1.20.1'], ['1.19.4–1.20.1']],
  [
    'a snapshot stands apart from the releases around it',
    ['1.20.2', '23w40a', '1.20.3'],
    ['1.20.2–1.20.3', '23w40a'],
  ],
  ['snapshots that follow one another join', ['24w02a', '24w02b'], ['24w02a–24w02b']],
  ['snapshots with a release between them stay apart', ['24w02a', '1.20.4-rc1'], ['24w02a', '1.20.4-rc1']],
  ['order and repetition do not matter', ['1.20.1', '1.20', '1.20.1'], ['1.20–1.20.1']],
  ['unknown versions come last', ['b1.7', '1.21'], ['1.21', 'b1.7']],
  ['nothing gives nothing', [], []],
])('%s', (_name, versions, expected) => {
  expect(versionRanges(messages('en-US'), versions, all)).toEqual(expected);
});

test('a range reads from old to new in right-to-left languages', () => {
  expect(versionRanges(messages('ar-SA'), ['1.20', '1.20.1'], all)).toEqual(['\u20661.20–1.20.1\u2069']);
});
