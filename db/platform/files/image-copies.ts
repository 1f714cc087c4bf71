/**
 * Widths in pixels of the smaller copies of an image. The first is the one that the API names; the others are for
 * screens with more pixels and for larger places. An image of a text has one, in the text's full width. Source: api-v2
 * §1.8.
 */
export const copyWidths = {
  icon: [96, 256, 512],
  gallery: [350, 700, 1050],
  text: [1920],
  banner: [480, 960, 1600],
} as const;

const sets: ReadonlyArray<readonly number[]> = Object.values(copyWidths);
const suffixOf = (width: number): string => `_${width}.webp`;

/** The widths of the set whose copy at `place` this name is, if any. */
const setOf = (name: string, place?: number): readonly number[] | undefined =>
  sets.find((widths) => widths.some((width, at) => (place ?? at) === at && name.endsWith(suffixOf(width))));

/**
 * All copies of a stored image, the smallest first, by the key or URL of its smallest copy; empty for an original, which
 * has none.
 */
export function copiesOf(smallest: string): Array<{ name: string; width: number }> {
  const widths = setOf(smallest, 0);
  const stem = smallest.slice(0, -suffixOf(widths?.[0] ?? 0).length);
  return (widths ?? []).map((width) => ({ name: stem + suffixOf(width), width }));
}

/** The key of the smallest copy of the same image; any other key as it is. Rows name only the smallest. */
export function smallestCopy(key: string): string {
  const [smallest] = setOf(key) ?? [];
  return smallest ? key.replace(/_\d+\.webp$/, suffixOf(smallest)) : key;
}
