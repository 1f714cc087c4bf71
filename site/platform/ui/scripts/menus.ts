/**
 * Menus in `<details>`: only one is open; a click outside, focus moving outside or Escape closes it; Escape returns to
 * its button, arrow keys move in it. They open on click; those with `data-menu="hover"` also on hover, and then close
 * 400 ms after the pointer left. Focus alone opens none, so that Tab does not go through each.
 * Source: specification §9.
 */
const closes_ms = 400;
const menus = () => document.querySelectorAll<HTMLDetailsElement>('[data-menu][open]');

const closeOthers = (event: Event) => {
  for (const menu of menus()) if (!menu.contains(event.target as Node)) menu.open = false;
};
document.addEventListener('click', closeOthers);
document.addEventListener('focusin', closeOthers);

/** The element that the key moves to from `from`, or null. */
function next(menu: HTMLElement, from: Element | null, key: string): HTMLElement | null {
  const items = [...menu.querySelectorAll<HTMLElement>('.menu :is(a, button, input)')].filter(
    (item) => item.offsetParent !== null,
  );
  const at = items.indexOf(from as HTMLElement);
  if (key === 'Home') return items[0] ?? null;
  if (key === 'End') return items.at(-1) ?? null;
  if (key === 'ArrowDown') return items[(at + 1) % items.length] ?? null;
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1) ?? null;
  return null;
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Escape') {
    for (const menu of menus()) {
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
      menu.open = false;
    }
    return;
  }
  if ((target as Element).matches?.('input, textarea, select')) return;
  const menu = (target as Element).closest?.<HTMLDetailsElement>('[data-menu]');
  if (!menu || (!menu.open && key !== 'ArrowDown')) return;
  menu.open = true;
  const item = next(menu, document.activeElement, key);
  if (!item) return;
  event.preventDefault();
  item.focus();
});

function openUnderMouse(menu: HTMLDetailsElement): void {
  /** Opened by hover, so leaving closes it; a click keeps it open. */
  let borrowed_focus = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  menu.addEventListener('pointerenter', ({ pointerType }) => {
    clearTimeout(timer);
    if (pointerType !== 'mouse' || menu.open) return;
    for (const other of menus()) other.open = false;
    menu.open = borrowed_focus = true;
  });
  menu.addEventListener('pointerleave', () => {
    if (borrowed_focus)
      timer = setTimeout(() => (menu.open = menu.contains(document.activeElement)), closes_ms);
  });
  menu.querySelector('summary')?.addEventListener('click', (event) => {
    if (borrowed_focus) event.preventDefault();
    borrowed_focus = false;
  });
  menu.addEventListener('toggle', () => {
    if (!menu.open) borrowed_focus = false;
  });
}
for (const menu of document.querySelectorAll<HTMLDetailsElement>('[data-menu=hover]')) openUnderMouse(menu);
