import { movedTo, readOrder } from '../sort-order.ts';
import { announce } from './live-region.ts';

/**
 * Lists of `SortableList.astro`: arrow keys (Home, End) on a handle and the buttons of a row move it; where it went is
 * announced. The library for dragging is loaded when a pointer first reaches the list.
 */
function start(root: HTMLElement): void {
  const list = root.querySelector<HTMLElement>('[data-rows]')!;
  const field = root.querySelector<HTMLInputElement>('[data-order]')!;
  const announcement = root.dataset.sortable!;
  const rows = () => [...list.children].filter((row): row is HTMLElement => row.hasAttribute('data-row'));
  const ids = () => rows().map(({ dataset }) => dataset.row!);
  const rowOf = (target: EventTarget | null) =>
    (target as Element).closest<HTMLElement>('[data-row]')!.dataset.row!;
  // what is stored is the value that the unsaved bar compares with, and that Reset gives back
  field.defaultValue = field.dataset.stored!;

  /** Brings rows and buttons into the order of the field. */
  function show(): void {
    const byId = new Map(rows().map((row) => [row.dataset.row!, row]));
    const sorted = readOrder(field.value).flatMap((id) => byId.get(id) ?? []);
    if (sorted.some((row, place) => row !== rows()[place])) list.append(...sorted);
    for (const [place, row] of sorted.entries()) {
      const [up, down] = row.querySelectorAll<HTMLElement>('[data-move]');
      if (up) up.ariaDisabled = String(place === 0);
      if (down) down.ariaDisabled = String(place === sorted.length - 1);
    }
  }

  function store(id: string, order: readonly string[]): void {
    const isSame = order.join(' ') === field.value;
    field.value = order.join(' ');
    show();
    if (isSame) return;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    list.dispatchEvent(new CustomEvent('sorted', { bubbles: true, detail: { id, ids: order } }));
    const name = list.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.dataset.rowName ?? '';
    const values = { name, position: String(order.indexOf(id) + 1), total: String(order.length) };
    announce(
      announcement.replace(/\{(name|position|total)\}/g, (_, key: keyof typeof values) => values[key]),
    );
  }

  /** Moves a row and keeps the focus on what moved it. */
  function move(target: HTMLElement, to: number): void {
    store(rowOf(target), movedTo(ids(), rowOf(target), to));
    target.focus();
  }

  list.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-move]');
    if (!button) return;
    event.preventDefault();
    move(button, ids().indexOf(rowOf(button)) + Number(button.dataset.move));
  });
  list.addEventListener('keydown', (event) => {
    const handle = (event.target as Element).closest<HTMLElement>('[data-handle]');
    if (!handle || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = ids().indexOf(rowOf(handle));
    const forward = getComputedStyle(list).direction === 'rtl' ? -1 : 1;
    const places: Record<string, number> = {
      ArrowUp: place - 1,
      ArrowDown: place + 1,
      ArrowLeft: place - forward,
      ArrowRight: place + forward,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(handle, to);
  });
  list.addEventListener('pointerover', (event) => void load(event), { once: true });
  root.closest('form')?.addEventListener('reset', () => setTimeout(show)); // after the field is back
  addEventListener('pageshow', show);
  for (const button of list.querySelectorAll<HTMLButtonElement>('[data-move]')) {
    button.type = 'button';
    // one stop of the Tab key for each row: handles have the same and more
    button.tabIndex = -1;
  }
  // Enter in a field now saves by the form's own button
  root.querySelector('[data-default]')?.remove();
  show();

  async function load(first: PointerEvent): Promise<void> {
    let pressed: PointerEvent | null = null;
    const note = (event: PointerEvent) => {
      pressed = event.type === 'pointerdown' ? event : null;
    };
    const types = ['pointerdown', 'pointerup', 'pointercancel'] as const;
    for (const type of types) addEventListener(type, note);
    const { dragRows } = await import('./drag-rows.ts');
    for (const type of types) removeEventListener(type, note);
    dragRows(list, ({ dataset }) => store(dataset.row!, ids()));
    // a finger that pressed a handle before the library was there
    const down = pressed as PointerEvent | null;
    if (down && first.isTrusted) down.target?.dispatchEvent(new PointerEvent('pointerdown', down));
  }
}

for (const root of document.querySelectorAll<HTMLElement>('[data-sortable]')) start(root);
