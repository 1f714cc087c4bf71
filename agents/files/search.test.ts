import { expect, it } from 'vitest';
import { linesWith } from './search.ts';

it('finds each line once, in any case, with its number', () => {
  const content = 'Needle and needle\r\nhay\n\nİ a NEEDLE\nneedle';
  expect(linesWith(content, 'needle', 10)).toEqual([
    { number: 1, text: 'Needle and needle' },
    { number: 4, text: 'İ a NEEDLE' },
    { number: 5, text: 'needle' },
  ]);
  expect(linesWith(content, 'needle', 2)).toHaveLength(2);
  expect(linesWith(content, 'straw', 10)).toEqual([]);
  expect(linesWith(content, 'y\n', 10)).toEqual([]);
});

it('cuts a long line around what was found', () => {
  const [line] = linesWith(`${'a'.repeat(1_000)}needle${'b'.repeat(1_000)}`, 'needle', 1);
  expect(line!.text).toBe(`${'a'.repeat(50)}needle${'b'.repeat(244)}`);
});

it('goes through a mebibyte of empty lines quickly', () => {
  const content = `${'\n'.repeat(1024 * 1024 - 6)}needle`;
  linesWith(content, 'needle', 1);
  const begun = performance.now();
  for (let time = 0; time < 5; time++)
    expect(linesWith(content, 'needle', 1)).toEqual([{ number: 1024 * 1024 - 5, text: 'needle' }]);
  expect(performance.now() - begun).toBeLessThan(1_500);
});
