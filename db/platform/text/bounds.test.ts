import { expect, test } from 'vitest';
import { whyNotParsed, whyNotSaved } from './bounds.ts';

test.each([
  ['a plain text', 'Hello\n\n- a\n  - b\n', null],
  ['the longest text', 'a'.repeat(65_536), null],
  ['one character more', 'a'.repeat(65_537), 'too_long'],
  ['a hundred list markers in a row', '- '.repeat(60), 'too_deep'],
  ['quotes in quotes', `x\n${'>'.repeat(101)}`, 'too_deep'],
  ['numbered lists in a row', '1. '.repeat(40), 'too_deep'],
  ['a list that is indented beyond sense', `${' '.repeat(101)}- x`, 'too_deep'],
  ['a long ruler', '-'.repeat(200), null],
  ['a long underline of stars', '*'.repeat(150), null],
  ['a table without leading bars', `${'-'.repeat(120)}|---`, null],
])('%s', (_name, source, why) => {
  expect(whyNotParsed(source)).toBe(why);
});

test.each([
  ['a plain text', 'Hello *you*\n\n- a\n  - b\n', null],
  ['the longest text of words', '**word** '.repeat(7281), null],
  ['a large table', '| cell '.repeat(9000), null],
  ['twenty thousand runs of markup', 'a*'.repeat(20_000), null],
  ['one more', 'a*'.repeat(20_001), 'body_too_complex'],
  ['emphasis that never ends', '*a_ '.repeat(16_384), 'body_too_complex'],
  ['a table of 50 rows and 500 columns', `${'|a'.repeat(500)}\n`.repeat(50), 'body_too_complex'],
])('saving %s', (_name, source, why) => {
  expect(whyNotSaved(source)).toBe(why);
});
