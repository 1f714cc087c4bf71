import { random } from './art/random.ts';
import type { ListedProject } from './catalogue.ts';

const kb = 1000;
const mb = 1000 * kb;
type Range = readonly [low: number, high: number];

/** Bytes of a project's newest file, by type. */
const byType: Record<ListedProject['type'], Range> = {
  mod: [160 * kb, 1.9 * mb],
  modpack: [60 * kb, 3.6 * mb],
  plugin: [65 * kb, 1.4 * mb],
  datapack: [24 * kb, 420 * kb],
  resourcepack: [4.5 * mb, 6.5 * mb],
  shader: [320 * kb, 2.9 * mb],
};

/** Categories whose files are larger or smaller than those of their type; the first that fits decides. */
const byCategory: Partial<Record<ListedProject['type'], Array<[categories: string[], range: Range]>>> = {
  mod: [
    [
      ['worldgen', 'mobs', 'decoration', 'adventure'],
      [0.7 * mb, 5.8 * mb],
    ],
    [
      ['library', 'utility', 'optimization'],
      [62 * kb, 780 * kb],
    ],
  ],
  datapack: [[['worldgen'], [260 * kb, 2.4 * mb]]],
  resourcepack: [
    [['audio'], [12 * mb, 20 * mb]],
    [['8x-'], [0.7 * mb, 1.3 * mb]],
    [
      ['fonts', 'gui'],
      [0.8 * mb, 4.5 * mb],
    ],
    [['128x'], [38 * mb, 50 * mb]],
    [['64x'], [9 * mb, 14 * mb]],
    [['32x'], [5 * mb, 8 * mb]],
  ],
};

/** Sizes are powers of this, so that few are different: zeros are hashed once for each. */
const step = 1.06;

/**
 * The bytes by which the archive of the version at `place` of `count` (0 is the oldest) is padded, so that its size is
 * typical of the project's type, and grows with its versions.
 */
export function paddingOf(
  slug: string,
  { type, categories }: Pick<ListedProject, 'type' | 'categories'>,
  { place, count }: { place: number; count: number },
): number {
  const r = random(`size:${slug}`);
  const [low, high] =
    byCategory[type]?.find(([names]) => names.some((name) => categories.includes(name)))?.[1] ?? byType[type];
  const newest = low * (high / low) ** r.next();
  const oldest = newest * r.range(0.55, 0.95);
  const bytes = count > 1 ? oldest + ((newest - oldest) * place) / (count - 1) : newest;
  return Math.round(step ** Math.round(Math.log(bytes) / Math.log(step)));
}
