import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  deletions,
  deletionsOfNeighbours,
  editsBetween,
  oneEditFromStart,
  withinOneEdit,
} from './edit-distance.ts';
import { joinedTerms, plainText, queryTokens, spaceless, titleForms, tokens } from './tokenize.ts';

/** Any code points, including lone surrogates and control characters. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x2ff })), {
    maxLength: 20,
  })
  .map((points) => String.fromCodePoint(...points));

describe('words', () => {
  it.each<[string, string[]]>([
    ['Fast Lanterns', ['fast', 'lanterns']],
    ['FastLanterns', ['fast', 'lanterns']],
    ['XMLHttpMod2Go', ['xml', 'http', 'mod2', 'go']],
    ["Steve's Don’t", ['steve', 'dont']],
    ['Crème Brûlée', ['creme', 'brulee']],
    ['Straße Æther Łódź Đorđe', ['strasse', 'aether', 'lodz', 'dorde']],
    ['iPhone_mods-1.20+x', ['i', 'phone', 'mods', '1', '20', 'x']],
    ['Ёлка Йога', ['елка', 'иога']],
    ['한국어', ['한국', '국어']],
    ['ガード地図mod', ['ガー', 'ード', 'ド地', '地図', 'mod']],
    ['灯', ['灯']],
    ['ｆｕｌｌ　ｗｉｄｔｈ', ['full', 'width']],
    ['!!! ???', []],
    ['constructor __proto__', ['constructor', 'proto']],
  ])('of %s', (text, words) => {
    expect(tokens(text)).toEqual(words);
  });

  it('keep the combining marks of scripts that need them', () => {
    expect(tokens('हिन्दी')).toEqual(['हिन्दी']);
    expect(plainText('한글')).toBe('한글');
    expect(plainText('が')).toBe('が');
  });

  it('are at most twelve distinct ones of forty characters in a query', () => {
    expect(queryTokens('a b c d e f g h i j k l m n')).toHaveLength(12);
    expect(queryTokens('mod mod MOD')).toEqual(['mod']);
    expect(queryTokens('x'.repeat(2_000))).toEqual(['x'.repeat(40)]);
  });

  it('are the same next to letters beyond ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(tokens(`${text} é`)).toEqual([...tokens(text), 'e']);
      }),
    );
  });

  it('contain only letters, digits and marks, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of [...tokens(text), ...joinedTerms(text)])
          expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
      }),
    );
  });
});

describe('joined words', () => {
  it('are neighbouring words, camelCase words and whole titles of three or more words', () => {
    expect(joinedTerms('Big Fast Lanterns')).toEqual(['bigfast', 'fastlanterns', 'bigfastlanterns']);
    expect(joinedTerms('FastLanterns')).toEqual(['fastlanterns']);
    expect(joinedTerms('Lantern')).toEqual([]);
    expect(spaceless("The Baker's Dozen!")).toBe('thebakerdozen');
  });
});

describe('edit distance one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 2, maxLength: 10 });
  const letter = fc.constantFrom('a', 'b', 'c', 'd');
  const edited = fc
    .tuple(word, fc.nat(), letter, fc.constantFrom('insert', 'delete', 'change', 'swap'))
    .map(([text, n, char, how]) => {
      const at = n % text.length;
      if (how === 'insert') return [text, text.slice(0, at) + char + text.slice(at)];
      if (how === 'delete') return [text, text.slice(0, at) + text.slice(at + 1)];
      if (how === 'change') return [text, text.slice(0, at) + char + text.slice(at + 1)];
      return [text, text.slice(0, at) + (text[at + 1] ?? '') + text[at] + text.slice(at + 2)];
    }) as fc.Arbitrary<[string, string]>;

  it('is an insertion, deletion, substitution or transposition, and shares a deletion hash with the word', () => {
    fc.assert(
      fc.property(edited, ([a, b]) => {
        expect(withinOneEdit(a, b)).toBe(a !== b);
        expect(withinOneEdit(b, a)).toBe(a !== b);
        expect(deletions(a).some((hash) => deletions(b).includes(hash))).toBe(true);
      }),
    );
  });

  it.each([
    ['lantern', 'lanterns', true],
    ['lantren', 'lantern', true],
    ['lantern', 'lantern', false],
    ['lntren', 'lantern', false],
    ['ab', 'ba', true],
    ['abcd', 'badc', false],
    ['', 'a', true],
  ])('%s and %s: %s', (a, b, yes) => {
    expect(withinOneEdit(a, b)).toBe(yes);
  });

  it('is found at the start of a longer word', () => {
    expect(oneEditFromStart('lantr', 'lanternsandmore')).toBe(true);
    expect(oneEditFromStart('lxxt', 'lanternsandmore')).toBe(false);
    expect(oneEditFromStart('lantefn', 'lanternsandmore')).toBe(true);
    for (const other of ['lantx', 'lanternx'])
      expect(oneEditFromStart(other, 'lanternsandmore'), other).toBe(false);
  });
});

describe('stop words', () => {
  it.each<[string, string[]]>([
    ['the birds', ['birds']],
    ['The Birds of the Sea', ['birds', 'sea']],
    ['shaders for minecraft', ['shaders']],
    ['der Vogel und das Meer', ['vogel', 'meer']],
    ['birds in', ['birds', 'in']],
    ['castle of th', ['castle', 'th']],
    ['the', ['the']],
    ['the of and', ['the', 'of', 'and']],
    ['minecraft', ['minecraft']],
    [`${'the '.repeat(300)}birds`, ['birds']],
  ])('of %j are left out: %j', (text, words) => {
    expect(queryTokens(text)).toEqual(words);
  });

  it('stay in the form of a title as typed', () => {
    expect(titleForms('Lantern Root')).toEqual(['Lantern Root']);
    expect(titleForms('The Lantern')).toEqual(['The Lantern', 'lantern']);
    expect(tokens('The Lantern')).toEqual(['the', 'lantern']);
  });
});

test.each([
  ['lanternroot', 'lanternroot', 0],
  ['lanternroot', 'lantenrroot', 1],
  ['lanternroot', 'lntarnroot', 2],
  ['lanternroot', 'xanternroox', 2],
  ['lanternroot', 'lanternrootab', 2],
  ['abc', '', 3],
])('%s and %s are %i edits apart, and share a hash up to two', (a, b, edits) => {
  expect(editsBetween(a, b)).toBe(edits);
  expect(editsBetween(b, a)).toBe(edits);
  if (edits > 2) return;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const known = new Set(deletions(other));
    expect(deletionsOfNeighbours(one).some((hash) => known.has(hash))).toBe(true);
  }
});

test('words within two edits share a hash, and one edit is what it is elsewhere', () => {
  const word = fc.stringMatching(/^[a-z]{6,12}$/);
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
  const edit = fc.record({ at: fc.nat(11), letter, kind: fc.constantFrom('add', 'drop', 'change') });
  fc.assert(
    fc.property(word, fc.array(edit, { minLength: 1, maxLength: 2 }), (from, edits) => {
      const to = edits.reduce((text, { at, letter: one, kind }) => {
        const place = at % text.length;
        const rest = text.slice(kind === 'add' ? place : place + 1);
        return text.slice(0, place) + (kind === 'drop' ? '' : one) + rest;
      }, from);
      expect(editsBetween(from, to)).toBeLessThanOrEqual(2);
      expect(withinOneEdit(from, to)).toBe(editsBetween(from, to) === 1);
      const known = new Set(deletions(from));
      expect(deletionsOfNeighbours(to).some((hash) => known.has(hash))).toBe(true);
    }),
  );
});
