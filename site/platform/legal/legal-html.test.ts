import { expect, test } from 'vitest';
import { legalHtml } from './legal-html.ts';

const html = (text: string) => legalHtml(text, (path) => `${path}?hl=de-DE`, 'https://mods.example');

test('links to legal pages keep the language, and all of our own know their address for print', () => {
  expect(html('<a href="/legal/rules">Rules</a> <a href="/license">License</a>')).toBe(
    '<a href="/legal/rules?hl=de-DE" data-address="https://mods.example/legal/rules">Rules</a> ' +
      '<a href="/license" data-address="https://mods.example/license">License</a>',
  );
  const other =
    '<a href="https://cairn.example">x</a> <a href="{{OPERATOR_CONTACT}}">y</a> <a href="#z">z</a>';
  expect(html(other)).toBe(other);
});

test('every cell of a table knows its column', () => {
  const table =
    '<table><thead>\n<tr>\n<th>What</th>\n<th align="right">Why</th></tr></thead>' +
    '<tbody><tr>\n<td>A</td><td align="right">B</td></tr><tr><td>C</td><td>D</td></tr></tbody></table>';
  expect(html(table)).toBe(
    table
      .replace('<td>A', '<td data-label="What">A')
      .replace('<td align="right">B', '<td data-label="Why" align="right">B')
      .replace('<td>C', '<td data-label="What">C')
      .replace('<td>D', '<td data-label="Why">D'),
  );
});
