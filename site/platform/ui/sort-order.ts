/**
 * The order of a `SortableList.astro` as its form sends it: the field `order` has the ids of its rows, separated by
 * spaces; a browser without scripts also sends the button that was pressed, as `move`: `up ID` or `down ID`.
 */

/** `ids` with `id` at the place `to`, which is brought into the list; an unknown id changes nothing. */
export function movedTo(ids: readonly string[], id: string, to: number): string[] {
  if (!ids.includes(id)) return [...ids];
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.min(Math.max(to, 0), others.length), 0, id);
}

/** The ids of the field `order` without duplicates, after the pressed button `move`. */
export function readOrder(order: string, move = ''): string[] {
  const ids = [...new Set(order.split(/\s+/).filter(Boolean))];
  const [direction, id = ''] = move.split(' ');
  const step = { up: -1, down: 1 }[direction ?? ''] ?? 0;
  return step === 0 ? ids : movedTo(ids, id, ids.indexOf(id) + step);
}
