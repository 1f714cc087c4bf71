import { expect, test } from 'vitest';
import { parsed } from '../../testing/discovery.ts';
import { bidiIsolated } from './bidi.ts';
import { document, element, plain } from './xml.ts';

test.each([
  '<script>alert(1)</script>',
  'a ]]> b <![CDATA[ c',
  `"quoted" 'and' &amp; & <!-- -->`,
  'line\nand\ttab',
  '灯籠 مرحبا 🏮',
])('%j survives escaping and parsing', (text) => {
  const found = parsed(document(element('a', { b: text }, text)));
  expect(found).toEqual({
    name: 'a',
    text,
    attributes: { b: text.replace(/[\n\t]/g, ' ') },
    children: [],
  });
});

test('control characters and lone surrogates are removed', () => {
  const { text, attributes } = parsed(
    document(element('a', { b: 'x\u0000y' }, 'a\u0001b\ud83dc\ufffe\u001bd')),
  );
  expect([text, attributes.b]).toEqual(['ab\ufffdcd', 'xy']);
});

test('null children are omitted, and only the results of element are markup', () => {
  expect(element('a', { b: null, c: 0 }, null, [], '').xml).toBe('<a c="0"/>');
  expect(element('a', {}, element('b', {}), ['<', null]).xml).toBe('<a><b/>&lt;</a>');
});

test('bidirectional control characters do not affect the text around', () => {
  expect(plain(' a\u202eb\n\u200fc ')).toBe('ab \u200fc');
  expect(bidiIsolated('x\u202e')).toBe('\u2068x\u2069');
});
