import type { Trouble } from './ask.ts';

const first_ms = 2_000;
const longest_ms = 30_000;

/**
 * Says above the results that they are from before, and tries again by itself: when the connection is back, ever more
 * seldom otherwise, or when one presses the button.
 */
export function createTrouble(box: HTMLElement, again: () => void) {
  const text = box.querySelector('[data-text]')!;
  let pause_ms = first_ms;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    clearTimeout(timer);
    if (!box.hidden) again();
  };
  box.querySelector('[data-again]')!.addEventListener('click', retry);
  addEventListener('online', retry);
  return {
    show(trouble: Trouble, wait_ms: number): void {
      const words = box.dataset[trouble] ?? '';
      if (text.textContent !== words) text.textContent = words;
      box.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(retry, Math.max(pause_ms, wait_ms));
      pause_ms = Math.min(pause_ms * 2, longest_ms);
    },
    hide(): void {
      clearTimeout(timer);
      pause_ms = first_ms;
      box.hidden = true;
    },
  };
}
