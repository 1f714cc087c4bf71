import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff, shortened } from './line-diff.ts';

const marks = { same: ' ', mine: '+', theirs: '-' };
const drawn = (theirs: string, mine: string) =>
  lineDiff(theirs, mine).map(({ kind, text }) => marks[kind] + text);

it('shows what each version has alone', () => {
  expect(drawn('a\nb\nc', 'a\nb\nc')).toEqual([' a', ' b', ' c']);
  expect(drawn('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(drawn('a\nc', 'a\nb\nc\nd')).toEqual([' a', '+b', ' c', '+d']);
  expect(drawn('', 'a')).toEqual(['-', '+a']);
});

it('gives both versions back, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (theirs, mine) => {
      const lines = lineDiff(theirs, mine);
      const of = (kind: string) =>
        lines
          .filter((line) => line.kind === 'same' || line.kind === kind)
          .map((line) => line.text)
          .join('\n');
      expect([of('theirs'), of('mine')]).toEqual([theirs, mine]);
    }),
  );
});

it('compares two large versions that have nothing in common without a table', () => {
  const lines = (name: string) => Array.from({ length: 3000 }, (_, i) => `${name}${i}`).join('\n');
  const diff = lineDiff(lines('a'), lines('b'));
  expect(diff).toHaveLength(6000);
  expect(diff[2999]).toEqual({ kind: 'theirs', text: 'a2999' });
});

it('leaves out what is the same far away', () => {
  const texts = Array.from({ length: 9 }, (_, i) => `${i}`);
  const lines = lineDiff(texts.join('\n'), texts.map((text) => (text === '4' ? 'x' : text)).join('\n'));
  expect(shortened(lines, 1).map((line) => line?.text ?? null)).toEqual([null, '3', '4', 'x', '5', null]);
  expect(shortened(lineDiff('a', 'a'), 1)).toEqual([null]);
});
