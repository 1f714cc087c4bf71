import { $flags } from '../../flags/flags.store.ts';
import { isTyping } from './typing.ts';

/**
 * `/` focuses the search box, unless the focus is in a text field or single-key shortcuts are off; so does
 * `[data-find-here]`.
 */
function find(): boolean {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-find]')];
  const box = boxes.find((one) => one.offsetParent !== null);
  const opener = document.querySelector<HTMLElement>('[data-find-open]');
  if (!box) opener?.click(); // on a phone the box is shown on demand
  box?.focus();
  box?.select();
  return box !== undefined || opener !== null;
}

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!$flags.get().singleKeyShortcuts || document.querySelector('dialog:modal')) return;
  if (isTyping(event)) return;
  if (find()) event.preventDefault();
});
document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if ((event.target as Element).closest('[data-find-here]') && find()) event.preventDefault();
});
