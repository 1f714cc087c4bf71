import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withinOneEdit } from '../query/edit-distance.ts';
import { mayBeMistyped } from '../query/tokenize.ts';
import type { Sections } from './sections.ts';
import { byBytes, Strings, writeStrings } from './string-table.ts';
import { Typos, writeTypos } from './typos.ts';

function typosOf(terms: string[], tokens = terms): { near(word: string): string[] } {
  const sections: Sections = new Map();
  writeStrings(sections, 'terms', terms);
  writeTypos(sections, terms, tokens);
  const strings = new Strings(sections, 'terms');
  const typos = new Typos(sections, strings);
  return { near: (word) => typos.near(word).map((t) => strings.at(t)) };
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ё'), minLength: 3, maxLength: 10 });

describe('typo correction', () => {
  it('finds every word with edit distance one, and no other', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 40 }), word, (tokens, query) => {
        const terms = tokens.sort(byBytes);
        const expected = mayBeMistyped(query)
          ? terms.filter((term) => mayBeMistyped(term) && withinOneEdit(query, term))
          : [];
        expect(typosOf(terms).near(query).sort(byBytes)).toEqual(expected);
      }),
    );
  });

  it('also corrects a typo after the first seven letters', () => {
    expect(typosOf(['lanterncraft']).near('lanterncrfat')).toEqual(['lanterncraft']);
  });

  it('finds only words of the table', () => {
    expect(typosOf(['lantern', 'lanterns'], ['lantern']).near('lanternz')).toEqual(['lantern']);
  });
});
