import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from './ansi.ts';
import { displayLine } from './display-line.ts';
import { findLinks } from './find-links.ts';
import { lineParts } from './line-segments.ts';
import { cellsOf } from './row-heights.ts';
import { longUnits, wrappedLines } from './wrap-lines.ts';

const linksIn = (text: string) => findLinks(text).map(({ from, to }) => text.slice(from, to));

describe('links in console lines', () => {
  it.each([
    ['Report at https://example.org/issues.', ['https://example.org/issues']],
    ['(see http://example.org:8080/a?b=c#d)', ['http://example.org:8080/a?b=c#d']],
    ['https://en.wikipedia.org/wiki/Cairn_(stones), then', ['https://en.wikipedia.org/wiki/Cairn_(stones)']],
    ['"https://example.org/x", <https://example.org/y>', ['https://example.org/x', 'https://example.org/y']],
    ['HTTPS://EXAMPLE.ORG/A!', ['HTTPS://EXAMPLE.ORG/A']],
    ['§ahttps://example.org/a§r', ['https://example.org/a']],
    ['javascript:alert(1) data:text/html,x file:///etc/passwd //example.org', []],
    ['javascript:https://example.org', ['https://example.org']],
    ['https://bank.example@evil.example/', []],
    ['https:// http://. https://%', []],
    ['no link at all', []],
  ])('%s', (text, found) => {
    expect(linksIn(text)).toEqual(found);
  });

  it('lead to http and https only, whatever a line says', () => {
    const scheme = fc.constantFrom('http', 'https', 'javascript', 'data', 'HTTP', 'xhttps');
    fc.assert(
      fc.property(scheme, fc.string({ maxLength: 40 }), fc.string({ maxLength: 5 }), (name, rest, after) => {
        for (const { href, from, to, host } of findLinks(`a ${name}://${rest} ${after}`)) {
          expect(href).toMatch(/^https?:\/\/[^@/]+/);
          expect(to).toBeGreaterThan(from);
          expect(host).not.toBe('');
        }
      }),
    );
  });

  it('name the host that browsers ask for', () => {
    expect(findLinks('https://münchen.example/')[0]?.host).toBe('xn--mnchen-3ya.example');
    expect(findLinks(Array(50).fill('https://a.example').join(' '))).toHaveLength(20);
  });
});

describe('the breaks of console lines', () => {
  it('are between words, inside a word only when it is longer than a line', () => {
    expect(wrappedLines('Starting server version 1.21.4', 20)).toBe(2);
    expect(wrappedLines('aaaa bbbb cccc', 9)).toBe(2);
    expect(wrappedLines('aaaa bbbbbb cccc', 9)).toBe(3);
    expect(wrappedLines('a'.repeat(25), 10)).toBe(3);
    expect(wrappedLines(`ab ${'c'.repeat(17)}`, 10)).toBe(2);
    expect(longUnits('short longerthanten short', 10)).toEqual([[6, 20]]);
  });

  it('need no fewer lines than all cells, and no line is wider than there are columns', () => {
    const word = fc.string({ unit: fc.constantFrom('a', '-', '石', '/', '.'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: 4, max: 40 }), (words, columns) => {
        const text = words.join(' ');
        const lines = wrappedLines(text, columns);
        expect(lines).toBeGreaterThanOrEqual(Math.max(1, Math.ceil(cellsOf(text) / columns)));
        expect(lines).toBeLessThanOrEqual(Math.max(1, cellsOf(text)));
      }),
    );
  });
});

describe('the parts of a line', () => {
  const lineOf = (text: string) => displayLine({ seq: 1, at: 0, stream: 'out', text });
  const partsOf = (text: string, query = '', columns = 80) => lineParts(lineOf(text), query, columns);

  it('lose no letter, whatever is styled, linked, found or long', () => {
    const piece = fc.constantFrom(
      'https://example.org/a ',
      '\u001b[31mred',
      'rope ',
      'word ',
      'x'.repeat(30),
      '\u001b[0m',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', 'rope', 'e'), (pieces, query) => {
        const text = pieces.join('');
        const shown = partsOf(text, query, 20).flatMap(({ parts }) =>
          parts.flatMap(({ segments }) => segments),
        );
        expect(shown.map((segment) => segment.text).join('')).toBe(
          piecesOf(text)
            .map((one) => one.text)
            .join(''),
        );
      }),
    );
  });

  it('keep a link in one piece, with styles and matches inside', () => {
    const [part] = partsOf('at \u001b[34mhttps://rope.example/x\u001b[0m.', 'rope');
    expect(part!.parts.map(({ link, segments }) => [link?.href, segments.map(({ text }) => text)])).toEqual([
      [undefined, ['at ']],
      ['https://rope.example/x', ['https://', 'rope', '.example/x']],
      [undefined, ['.']],
    ]);
    expect(part!.parts[1]!.segments.map(({ hit, style }) => [hit, style])).toEqual([
      [false, 'a4'],
      [true, 'a4'],
      [false, 'a4'],
    ]);
  });

  it('mark what may break anywhere', () => {
    expect(partsOf(`one ${'x'.repeat(30)} two`, '', 20).map(({ is_long }) => is_long)).toEqual([
      false,
      true,
      false,
    ]);
    expect(partsOf('one two', '', 20)).toHaveLength(1);
  });
});
