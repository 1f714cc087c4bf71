import { expect, it } from 'vitest';
import { csvOf } from './table-files.ts';

it('cells that would be formulas are quoted, numbers are not', () => {
  const rows = [
    ['=HYPERLINK("https://evil.example")', '+1', '-2', '@SUM(A1)', '\tx', '\r=1'],
    ['plain', -5, 'a,b', 'say "x"', 'two\nlines', 1.5],
  ];
  expect(csvOf(rows)).toBe(
    `"'=HYPERLINK(""https://evil.example"")","'+1","'-2","'@SUM(A1)","'\tx","'\r=1"\r\n` +
      'plain,-5,"a,b","say ""x""","two\nlines",1.5\r\n',
  );
});
