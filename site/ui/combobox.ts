/** `text` without marks and letter case, so that "cafe" finds "Café". */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The places of those texts that have every word typed in them, in their order; all of them for nothing typed. */
export function matching(texts: readonly string[], typed: string): number[] {
  const labels = folded(typed).split(/\s+/).filter(Boolean);
  return texts.flatMap((text, position) =>
    labels.every((word) => folded(text).includes(word)) ? [position] : [],
  );
}

/** The place one further in a list of `length`, around its ends; from nowhere (-1) to the first or the last. */
export function moved(position: number, by: 1 | -1, length: number): number {
  if (length === 0) return -1;
  if (position < 0) return by === 1 ? 0 : length - 1;
  return (position + by + length) % length;
}
