/**
 * The page numbers to list, null for a gap: the first, the last and those next to the current one; a gap of a single
 * page lists that page instead.
 */
export function pageNumbers(page: number, pages: number): Array<number | null> {
  const near = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  const displayed = [...new Set(near)].sort((a, b) => a - b);
  return displayed.flatMap((number, index) => {
    const before = displayed[index - 1] ?? 0;
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? [null, number] : [number];
  });
}
