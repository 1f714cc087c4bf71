/**
 * Dialogs: `data-opens="id"` opens one; `data-closes` inside, a click on the backdrop, Escape, and dragging the handle
 * of a sheet down close it. The browser traps the focus and restores it afterwards.
 */
const far_px = 72;

const dialogOf = (target: EventTarget | null): HTMLDialogElement | null =>
  (target as Element).closest?.('dialog') ?? null;

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const opener = target.closest<HTMLElement>('[data-opens]');
  if (opener) {
    const dialog = document.getElementById(opener.dataset.opens!) as HTMLDialogElement | null;
    if (dialog && !dialog.open) dialog.showModal();
  }
  if (target.closest('[data-closes]')) dialogOf(target)?.close();
});

// pressed and released outside: a text selection that ends outside is not a click on the backdrop
let pressedOn: EventTarget | null = null;
document.addEventListener('pointerdown', (event) => {
  pressedOn = event.target;
  const header = (event.target as Element).closest?.<HTMLElement>('dialog.sheet > header');
  if (header && event.pointerType === 'touch') pull(header, event);
});
document.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
  if (target !== pressedOn || !(target instanceof HTMLDialogElement) || !target.matches('[data-dialog]'))
    return;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  if (x < left || x > right || y < top || y > bottom) target.close();
});

/** Lets a sheet follow the finger, and closes it beyond a threshold. */
function pull(header: HTMLElement, begun: PointerEvent): void {
  const dialog = header.parentElement as HTMLDialogElement;
  const done = new AbortController();
  const { signal } = done;
  const by = (event: PointerEvent) => Math.max(0, event.clientY - begun.clientY);
  const end = (event: PointerEvent) => {
    done.abort();
    dialog.style.translate = '';
    if (event.type === 'pointerup' && by(event) > far_px) dialog.close();
  };
  document.addEventListener(
    'pointermove',
    (event) => {
      dialog.style.translate = `0 ${by(event)}px`;
    },
    { signal },
  );
  document.addEventListener('pointerup', end, { signal });
  document.addEventListener('pointercancel', end, { signal });
}
