import { atom } from 'nanostores';

/** The number of pending operations. */
const $waiting = atom(0);

/**
 * Whether the loading bar is visible: from 50 ms after the first operation starts until none is pending. Source:
 * specification §9 (throttle).
 */
export const $loading = atom(false);

const throttle_ms = 50;
let timer: ReturnType<typeof setTimeout> | undefined;

$waiting.listen((count) => {
  if (count > 0 && ($loading.get() || timer !== undefined)) return;
  clearTimeout(timer);
  timer = undefined;
  if (count === 0) $loading.set(false);
  else
    timer = setTimeout(() => {
      timer = undefined;
      $loading.set(true);
    }, throttle_ms);
});

/** Reports the start of an operation; call the returned function at its end. */
export function wait(): () => void {
  $waiting.set($waiting.get() + 1);
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    $waiting.set($waiting.get() - 1);
  };
}
