import { showToast } from '../../browser/toasts.store.ts';
import { $flags, resetFlags, switchFlag } from '../flags.store.ts';
import { type Flag, flagDefaults } from '../flags.ts';

/** The switches of `/flags`: they show and change the flags of this browser, also when another tab changes them. */
const page = document.querySelector<HTMLElement>('[data-flags]')!;
const boxes = [...page.querySelectorAll<HTMLInputElement>('input[role=switch]')];
const reset = page.querySelector<HTMLButtonElement>('[data-reset]')!;

$flags.subscribe((flags) => {
  for (const box of boxes) {
    const flag = box.name as Flag;
    box.checked = flags[flag];
    box.disabled = false;
    box.closest('li')!.classList.toggle('changed', flags[flag] !== flagDefaults[flag]);
  }
  reset.disabled = false;
});
page.addEventListener('change', ({ target }) => {
  const box = target as HTMLInputElement;
  switchFlag(box.name as Flag, box.checked);
});
reset.addEventListener('click', () => {
  resetFlags();
  showToast({ type: 'success', title: reset.textContent.trim(), text: reset.dataset.reset! });
});
