import { announce } from '../../../platform/ui/scripts/live-region.ts';

/** Rows of the page that edits a collection are taken out, and put back, before the form is saved. */
const removed = document.querySelector<HTMLInputElement>('[data-removed]');
const form = removed?.form;

if (removed && form) {
  const gone = () => new Set(removed.value.split(' ').filter(Boolean));
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('[data-remove-entry]')];
  const names = new Map(
    buttons.map((button) => [button, [button.ariaLabel!, button.dataset.removeEntry!] as const]),
  );

  function show(): void {
    for (const [button, [remove, keep]] of names) {
      const isGone = gone().has(button.value);
      button.closest('[data-row]')!.toggleAttribute('data-gone', isGone);
      button.ariaLabel = isGone ? keep : remove;
      button.title = button.ariaLabel;
      button.ariaPressed = String(isGone);
    }
  }

  for (const button of buttons) {
    button.type = 'button';
    button.addEventListener('click', () => {
      const ids = gone();
      if (!ids.delete(button.value)) ids.add(button.value);
      removed.value = [...ids].join(' ');
      show();
      announce(button.ariaLabel!);
      removed.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }
  form.addEventListener('reset', () => setTimeout(show)); // after the field is back
  show();
}
