import { expect, test } from 'vitest';
import { whyNotParsed } from './bounds.ts';

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
