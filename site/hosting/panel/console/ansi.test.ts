import fc from 'fast-check';
import { expect, it } from 'vitest';
import { piecesOf, plainText } from './ansi.ts';
import { displayLine } from './display-line.ts';

const esc = '\u001b[';

it('maps colors to classes, and reset to plain', () => {
  expect(piecesOf(`a${esc}31;1mred${esc}22m thin${esc}0m plain`)).toEqual([
    { text: 'a', style: '' },
    { text: 'red', style: 'a1 ab' },
    { text: ' thin', style: 'a1' },
    { text: ' plain', style: '' },
  ]);
  expect(
    piecesOf(`${esc}38;5;196mx${esc}38;2;0;200;0my${esc}48;5;12;94mz`).map(({ style }) => style),
  ).toEqual(['a9', 'a10', 'a12']);
});

it('drops sequences that move cursors, name windows and change text direction', () => {
  expect(plainText(`${esc}1G> ${esc}2Khello\u001b]0;title\u0007 world\r\u202e!\ttab`)).toBe(
    '> hello world!    tab',
  );
});

it('styled pieces add up to the plain text, without control characters, for any text', () => {
  const bits = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    ';',
    '3',
    '1',
    'm',
    'K',
    '\u0007',
    'a',
    ' ',
    '\t',
    '\u202e',
    '38;5;',
  );
  fc.assert(
    fc.property(
      fc.array(bits).map((all) => all.join('')),
      (text) => {
        const pieces = piecesOf(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(plainText(text));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be left
        expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u202e]/);
        for (const { style } of pieces) expect(style).toMatch(/^(a(\d+|[bdiu])( |$))*$/);
      },
    ),
  );
});

it.each([
  ['[19:04:11] [Server thread/WARN]: Ambiguity', 'warn', 'Ambiguity'],
  ['[19:04:11 ERROR]: Could not load', 'error', 'Could not load'],
  ['\u001b[1G> tamsin joined the game', 'info', 'tamsin joined the game'],
  ['java.lang.IllegalStateException: no', 'error', 'java.lang.IllegalStateException: no'],
  ['\tat net.some.Thing.run(Thing.java:3)', 'error', '    at net.some.Thing.run(Thing.java:3)'],
  ['<fen> ERROR? where', 'info', '<fen> ERROR? where'],
  ['We warn you: WARNING signs ahead', 'info', 'We warn you: WARNING signs ahead'],
])('detects the level of "%s"', (text, level, said) => {
  expect(displayLine({ seq: 1, at: 0, stream: 'out', text })).toMatchObject({ level, text: said });
});

it('detects typed commands and lines of the error stream', () => {
  expect(displayLine({ seq: 1, at: 0, stream: 'in', text: '> say ERROR' })).toMatchObject({
    level: 'typed',
    text: '> say ERROR',
  });
  expect(displayLine({ seq: 1, at: 0, stream: 'err', text: 'oh' }).level).toBe('warn');
});
