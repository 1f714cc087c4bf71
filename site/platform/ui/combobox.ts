/** `text` without accents and case, so that "cafe" finds "Café". */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * The positions of the texts that contain every word typed; all of them for an empty query. A text that is what was typed, or
 * ends with it in brackets, stands first, then those that begin with it; else they keep their order.
 */
export function matching(texts: readonly string[], typed: string): number[] {
  const query = folded(typed).trim();
  const labels = query.split(/\s+/);
  const ranks = texts.map((one) => {
    const text = folded(one);
    if (text === query || text.endsWith(` (${query})`)) return 0;
    return text.startsWith(query) ? 1 : labels.every((word) => text.includes(word)) ? 2 : 3;
  });
  return [0, 1, 2].flatMap((rank) => [...ranks.keys()].filter((position) => ranks[position] === rank));
}

/** The next position in a list of `length`, wrapping around; from none (-1) to the first or last. */
export function moved(position: number, by: 1 | -1, length: number): number {
  if (length === 0) return -1;
  if (position < 0) return by === 1 ? 0 : length - 1;
  return (position + by + length) % length;
}
