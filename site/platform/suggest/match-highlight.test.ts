import { describe, expect, it } from 'vitest';
import { highlightMatches } from './match-highlight.ts';

/** `text` with matches in brackets. */
const displayed = (text: string, query: string): string =>
  highlightMatches(text, query)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('');

describe('marks the typed text in a title', () => {
  it.each([
    ['Lanternroot', 'lan', '[Lan]ternroot'],
    ['Fast Lanterns', 'lantern fa', '[Fa]st [Lantern]s'],
    ['Sand and Stand', 'st', 'Sand and [St]and'],
    ['Sandstone', 'stone', 'Sand[stone]'],
    ['FastLanterns', 'lan', 'Fast[Lan]terns'],
    ['Café Crème', 'creme cafe', '[Café] [Crème]'],
    ['Cafe\u0301s', 'cafe', '[Cafe\u0301]s'],
    ['ﬁre Works', 'fire', '[ﬁre] Works'],
    ['𝔾ames', 'g', '[𝔾]ames'],
    ['石灯ろう', '灯ろ', '石[灯ろ]う'],
    ['Aether', 'e', 'Aether'],
    ['Moss', 'lantern', 'Moss'],
    ['Moss', ' -!? ', 'Moss'],
    ['Lan Lan', 'lan lan', '[Lan] Lan'],
    ['', 'lan', ''],
  ])('%s with %s typed', (text, query, expected) => {
    expect(displayed(text, query)).toBe(expected);
  });

  it('loses no letter', () => {
    for (const text of ['İstanbul ß', 'x̂ŷẑ', '👩‍👩‍👧 family', 'ﷺ']) {
      expect(
        highlightMatches(text, 'i x family s صلى')
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }
  });
});
