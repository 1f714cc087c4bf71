import { Backoff } from '#db/runtime/backoff.ts';
import type { FetchError } from './fetch-results.ts';

const pause_bounds = { min_ms: 2_000, max_ms: 30_000 };

/**
 * Shows above the results that they are outdated, and retries: when the connection is back, with growing intervals
 * otherwise, or when the button is pressed.
 */
export function createErrorBanner(box: HTMLElement, retried: () => void) {
  const text = box.querySelector('[data-text]')!;
  const pauses = new Backoff(pause_bounds);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    clearTimeout(timer);
    if (!box.hidden) retried();
  };
  box.querySelector('[data-again]')!.addEventListener('click', retry);
  addEventListener('online', retry);
  return {
    show(trouble: FetchError, wait_ms: number): void {
      const labels = box.dataset[trouble] ?? '';
      if (text.textContent !== labels) text.textContent = labels;
      box.hidden = false;
      clearTimeout(timer);
      timer = setTimeout(retry, Math.max(pauses.next(), wait_ms));
    },
    hide(): void {
      clearTimeout(timer);
      pauses.reset();
      box.hidden = true;
    },
  };
}
