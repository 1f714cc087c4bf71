import Sortable from 'sortablejs';

/** Lets the rows of a sortable list be dragged by their handles; loaded when a pointer first reaches the list. */
export function dragRows(list: HTMLElement, onMoved: (row: HTMLElement) => void): void {
  Sortable.create(list, {
    handle: '[data-handle]',
    draggable: '[data-row]',
    // the same with every pointer, and the lifted row can be styled
    forceFallback: true,
    fallbackTolerance: 3,
    animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
    ghostClass: 'sort-place',
    fallbackClass: 'sort-lifted',
    onEnd: ({ item }) => onMoved(item),
  });
}
