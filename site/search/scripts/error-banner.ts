import type { FetchError } from './fetch-results.ts';

const first_ms = 2_000;
const max_retry_ms = 30_000;

/**
 * Shows above the results that they are outdated, and retries: when the connection is back, with growing intervals
 * otherwise, or when the button is pressed.
 */
export function createErrorBanner(box: HTMLElement, retried: () => void) {
  const text = box.querySelector('[data-text]')!;
  let pause_ms = first_ms;
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
      timer = setTimeout(retry, Math.max(pause_ms, wait_ms));
      pause_ms = Math.min(pause_ms * 2, max_retry_ms);
    },
    hide(): void {
      clearTimeout(timer);
      pause_ms = first_ms;
      box.hidden = true;
    },
  };
}
