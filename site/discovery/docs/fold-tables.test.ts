import { expect, test } from 'vitest';
import { foldTables } from './fold-tables.ts';

const table = (columns: string[], cells: string[]) =>
  `<table><thead><tr>${columns.map((name) => `<th>${name}</th>`).join('')}</tr></thead><tbody><tr>${cells.join('')}</tr></tbody></table>`;

test('cells after the first say their column when there are more than two', () => {
  const cells = ['<td><code>A</code></td>', '<td>1</td>', '<td align="end">2</td>'];
  expect(foldTables(table(['name', '<b>by</b> "default"', 'meaning'], cells))).toContain(
    '<td><code>A</code></td><td data-column="by &quot;default&quot;">1</td><td data-column="meaning" align="end">2</td>',
  );
});

test('a table with two columns stays as it is', () => {
  const two = table(['name', 'meaning'], ['<td>A</td>', '<td>1</td>']);
  expect(foldTables(two)).toBe(two);
});
