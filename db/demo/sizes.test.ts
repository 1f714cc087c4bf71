import { expect, it } from 'vitest';
import { paddingOf } from './sizes.ts';

const mod = { type: 'mod' as const, categories: ['worldgen'] };

it('pads files to sizes of their type', () => {
  for (const slug of ['a', 'b', 'c', 'd', 'e']) {
    const newest = { place: 9, count: 10 };
    expect(paddingOf(slug, mod, newest)).toSatisfy((bytes: number) => bytes > 0.6e6 && bytes < 6e6);
    const pack = { type: 'resourcepack' as const, categories: ['128x', 'realistic'] };
    expect(paddingOf(slug, pack, newest)).toSatisfy((bytes: number) => bytes > 35e6 && bytes < 55e6);
    const data = { type: 'datapack' as const, categories: [] };
    expect(paddingOf(slug, data, newest)).toSatisfy((bytes: number) => bytes > 20e3 && bytes < 450e3);
  }
});

it('lets files grow from version to version', () => {
  const sizes = Array.from({ length: 20 }, (_, place) => paddingOf('lanternroot', mod, { place, count: 20 }));
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(sizes.at(-1)).toBeGreaterThan(sizes[0]!);
});
