import { expect, it } from 'vitest';
import { copiesOf, smallestCopy } from './image-copies.ts';

it('names all copies of an icon or gallery image by the smallest', () => {
  expect(copiesOf('/data/AAAA/abc_96.webp')).toEqual([
    { name: '/data/AAAA/abc_96.webp', width: 96 },
    { name: '/data/AAAA/abc_256.webp', width: 256 },
    { name: '/data/AAAA/abc_512.webp', width: 512 },
  ]);
  expect(copiesOf('data/AAAA/abc_350.webp').map(({ width }) => width)).toEqual([350, 700, 1050]);
});

it('gives no copies for an original or for one of the larger copies', () => {
  for (const key of ['data/AAAA/abc.gif', 'data/AAAA/abc.webp', 'data/AAAA/abc_700.webp', 'x_1096.webp', ''])
    expect([key, copiesOf(key)]).toEqual([key, []]);
});

it('leads from each copy to the smallest, and from any other key to itself', () => {
  for (const width of [96, 256, 512]) expect(smallestCopy(`data/A/b_${width}.webp`)).toBe('data/A/b_96.webp');
  for (const width of [350, 700, 1050])
    expect(smallestCopy(`data/A/b_${width}.webp`)).toBe('data/A/b_350.webp');
  for (const key of ['data/A/b.webp', 'data/A/versions/B/pack_64.webp', 'data/A/b_256.png'])
    expect(smallestCopy(key)).toBe(key);
});
