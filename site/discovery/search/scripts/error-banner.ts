import { Backoff } from '#db/platform/runtime/backoff.ts';
import { $outage } from '../../../platform/browser/connection.store.ts';
import type { FetchError } from './fetch-results.ts';

const pause_bounds = { min_ms: 2_000, max_ms: 30_000 };

/**
 * Shows above the results that they are outdated, unless the page's own banner says why. Retries in both cases: when
 * the connection is back, with growing intervals otherwise, or when the button is pressed.
 */
export function createErrorBanner(box: HTMLElement, retried: () => void) {
  const text = box.querySelector('[data-text]')!;
  const pauses = new Backoff(pause_bounds);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let trouble: FetchError | null = null;
  const retry = () => {
    clearTimeout(timer);
    if (trouble) retried();
  };
  const render = () => {
    box.hidden = trouble === null || $outage.get() !== null;
    const label = box.hidden ? '' : (box.dataset[trouble!] ?? '');
    if (text.textContent !== label) text.textContent = label;
  };
  $outage.listen(render);
  box.querySelector('[data-again]')!.addEventListener('click', retry);
  addEventListener('online', retry);
  return {
    show(error: FetchError, wait_ms: number): void {
      trouble = error;
      render();
      clearTimeout(timer);
      timer = setTimeout(retry, Math.max(pauses.next(), wait_ms));
    },
    hide(): void {
      clearTimeout(timer);
      pauses.reset();
      trouble = null;
      render();
    },
  };
}
