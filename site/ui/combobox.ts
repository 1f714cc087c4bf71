/** `text` without accents and case, so that "cafe" finds "Café". */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The positions of the texts that contain every word typed, in order; all of them for an empty query. */
export function matching(texts: readonly string[], typed: string): number[] {
  const labels = folded(typed).split(/\s+/).filter(Boolean);
  return texts.flatMap((text, position) =>
    labels.every((word) => folded(text).includes(word)) ? [position] : [],
  );
}

/** The next position in a list of `length`, wrapping around; from none (-1) to the first or last. */
export function moved(position: number, by: 1 | -1, length: number): number {
  if (length === 0) return -1;
  if (position < 0) return by === 1 ? 0 : length - 1;
  return (position + by + length) % length;
}
