import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sections } from './sections.ts';
import { byBytes, Strings, writeStrings } from './string-table.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '地', '\u{FB01}', '\u{1F332}'), maxLength: 4 });
const sorted = fc.uniqueArray(text, { maxLength: 12 }).map((texts) => texts.sort(byBytes));
const written = (texts: string[]): Strings => {
  const sections: Sections = new Map();
  writeStrings(sections, 'words', texts);
  return new Strings(sections, 'words');
};

describe('a string table', () => {
  it('is sorted by UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(byBytes(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
    );
  });

  it('returns what was written', () => {
    fc.assert(
      fc.property(sorted, (texts) => {
        expect(written(texts).all()).toEqual(texts);
      }),
    );
  });

  it('finds texts and prefixes like a linear search', () => {
    fc.assert(
      fc.property(sorted, text, (texts, query) => {
        const strings = written(texts);
        expect(strings.find(query)).toBe(texts.indexOf(query));
        const [from, to] = strings.startingWith(query);
        expect(texts.slice(from, to)).toEqual(texts.filter((one) => one.startsWith(query)));
      }),
    );
  });
});
