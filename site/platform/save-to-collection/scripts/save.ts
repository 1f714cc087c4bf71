import { takeEarlyPress } from '../../browser/early-press.ts';

/** Opens the chooser of the user's collections, which is loaded with the first click on one of its buttons. */
const open = async (button: HTMLElement) => (await import('./chooser.ts')).openChooser(button);

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest?.<HTMLElement>('[data-save]');
  if (button) void open(button);
});
const early = document.querySelector<HTMLElement>('[data-save][data-pressed]');
if (early && takeEarlyPress(early)) void open(early);
